/** Runs functions of script-templates/ in a real bash, on a host that is a folder. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const folder = new URL('../../script-templates/', import.meta.url);

/** Every template, by path below script-templates/. */
export const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.sh'),
);

/** As the header of a script has them, with the paths of kubeadm. */
const identityConstants = `KUBECONFIG_FILE=/etc/kubernetes/kubelet.conf BOOTSTRAP_FILE=/etc/kubernetes/bootstrap-kubelet.conf
CONFIG_FILE=/var/lib/kubelet/config.yaml CERT_DIR=/var/lib/kubelet/pki UNIT_LABELS='' UNIT_TAINTS=''`;

/** A template's text in which the host's own folders are those below `root`. */
const moved = (text: string, root: string) =>
  text.replace(/(?<![\w.$}/*@-])\/(etc|var\/lib|var\/log|run|sys\/fs)(?=[/{])/g, `${root}/$1`);

export interface BashResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder that stands for the root of a host; removed when the test ends. */
export class Host {
  readonly root = mkdtempSync(join(tmpdir(), 'ackone-join-host-'));

  constructor(files: Readonly<Record<string, string>> = {}) {
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
    mkdirSync(join(this.root, 'scratch'));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  path(path: string): string {
    return join(this.root, path);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text, 'latin1');
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'latin1');
  }

  /**
   * Bash that sources `files`, then runs `script`, in the mode that main sets. `RUN` is a folder, `CALLS` a file for stubs
   * to write to by `calls WORD …`. Functions that `script` defines stand in for commands of the same name.
   */
  text(files: readonly string[], script: string): string {
    return [
      'set -Eeuo pipefail',
      'trap \'on_error "$?" "$LINENO" "$BASH_COMMAND"\' ERR',
      `export RUN=${this.path('scratch')} CALLS=${this.path('calls')} ROOT=${this.root}`,
      moved(identityConstants, this.root),
      'calls() { printf "%s\\n" "$*" >>"$CALLS"; }',
      ...['lib/fail.sh', 'lib/log.sh', ...files].map((file) => moved(template(file), this.root)),
      script,
    ].join('\n');
  }

  run(files: readonly string[], script: string, env: Readonly<Record<string, string>> = {}): BashResult {
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', this.text(files, script)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'latin1',
      cwd: this.root,
      env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
      timeout: 30_000,
    });
    return { status, stdout, stderr };
  }

  /** What stubs wrote by `calls …`, a line each; empty when none did. */
  calls(): readonly string[] {
    try {
      return this.read('calls').trimEnd().split('\n');
    } catch {
      return [];
    }
  }
}

/** The number of a failure's name in lib/fail.sh. */
export function exitCode(name: string): number {
  const table = readFileSync(new URL('lib/fail.sh', folder), 'utf8');
  const row = new RegExp(`^(\\d\\d) ${name} `, 'm').exec(table);
  if (!row) throw new Error(`lib/fail.sh has no ${name}`);
  return Number(row[1]);
}

/** The repository's text of every template, by path below script-templates/. */
export const template = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

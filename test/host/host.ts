import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Node, PlayedCluster } from './cluster.ts';
import { type Machine, type Result, start } from './machine.ts';

export type Os = 'centos-7' | 'alinux-2' | 'alinux-3' | 'rocky-8' | 'rocky-9' | 'anolis-8' | 'openeuler-22';

export interface HostOptions {
  readonly os: Os;
  readonly cluster: PlayedCluster;
  /** Nodes that the cluster has already. */
  readonly nodes?: readonly Node[];
  /** mirrors.cloud.aliyuncs.com answers, as inside a VPC of Alibaba Cloud. Default: its name is unknown. */
  readonly internalMirror?: boolean;
  /** Path → text, laid into the host before it boots. */
  readonly files?: Readonly<Record<string, string>>;
}

/** How the script ended, when run as ECS runs it: behind curl and before tee. */
export interface Run {
  /** Exit codes of curl and of bash. */
  readonly curl: number;
  readonly script: number;
  /** What it printed, as /var/log/acs/init.log holds it. */
  readonly output: string;
}

/** Everything that can be seen of a host from outside, as an object that a test compares or prints. */
export interface Outcome {
  /** `containerd.io-1.6.28-3.1.el7`, with the epoch in front of the version where there is one. */
  readonly packages: readonly string[];
  /** Unit → `active enabled` as systemctl says them. */
  readonly units: Readonly<Record<string, string>>;
  readonly nodes: readonly Node[];
  /** The words of every `kubeadm join`, without `join`. */
  readonly joins: readonly (readonly string[])[];
}

/** The four variables as the registered cluster injects them (facts/registered-cluster.md). */
export const variables = {
  ALIBABA_CLOUD_PROVIDER_ID: 'cn-shenzhen.i-wz92ewt14n9wx9mo0000',
  ALIBABA_CLOUD_NODE_NAME: 'cn-shenzhen.192.168.1.10',
  ALIBABA_CLOUD_LABELS:
    'alibabacloud.com/nodepool-id=np0e2031e952c4492bab32f512ce1422f6,ack.aliyun.com=cc3df6d939b0d4463b493b82d0d670c66,' +
    'alibabacloud.com/instance-id=i-wz92ewt14n9wx9mo0000,alibabacloud.com/external=true,workload=cpu',
  ALIBABA_CLOUD_TAINTS: 'workload=ack:NoSchedule',
} as const;

/** Boots a host. Whoever boots it stops it; `fixtures.ts` does. */
export async function bootHost(options: HostOptions): Promise<Host> {
  const built = inject('hosts');
  if (built === undefined) throw new Error('hosts cannot be booted here');
  const facts = readFileSync(new URL(`os/${options.os}/facts`, import.meta.url), 'utf8');
  const machine = await start({
    lower: [join(built, 'os', options.os), join(built, 'base'), join(built, 'rootfs')],
    mirror: join(built, 'mirror'),
    // What the operating system boots by default (facts/versions.md).
    cgroup: /^cgroup=v2$/m.test(facts) ? 'v2' : 'v1',
    files: { ...clusterFiles(options), ...options.files },
  });
  const host = new Host(machine, options.cluster.endpoint);
  if (options.internalMirror) await host.shell('echo 127.0.0.1 mirrors.cloud.aliyuncs.com >>/etc/hosts');
  return host;
}

const adminToken = 'test-administrator';

function clusterFiles({ cluster: { authority, ...cluster }, nodes = [] }: HostOptions): Record<string, string> {
  return {
    '/opt/bench/cluster/cluster.json': JSON.stringify({ ...cluster, nodes, adminToken }),
    '/opt/bench/cluster/ca.crt': authority.cert,
    '/opt/bench/cluster/ca.key': authority.key,
  };
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

function digest(path: string): string {
  const found = lstatSync(path);
  // A character device is how an overlay notes that something was removed.
  const content = found.isFile() ? readFileSync(path) : found.isSymbolicLink() ? readlinkSync(path) : 'removed';
  return `${(found.mode & 0o7777).toString(8)} ${sha256(content)}`;
}

export class Host {
  readonly #machine: Machine;
  readonly #endpoint: string;

  constructor(machine: Machine, endpoint: string) {
    this.#machine = machine;
    this.#endpoint = endpoint;
  }

  stop(): Promise<void> {
    return this.#machine.stop();
  }

  /** Runs a command line in the host's bash. */
  shell(line: string, env: Readonly<Record<string, string>> = {}): Promise<Result> {
    return this.#machine.exec(['bash', '-c', line], { env });
  }

  /** What a command line prints, without the last newline. Throws when it fails. */
  async output(line: string): Promise<string> {
    const { code, stdout, stderr } = await this.shell(line);
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${stderr}`);
    return stdout.replace(/\n$/, '');
  }

  /** Fetches the script and runs it, as ECS does. */
  async run(url: string, env: Readonly<Record<string, string>> = variables): Promise<Run> {
    const line = `curl -fsSL "$0" | bash -s -- 2>&1 | tee /var/log/acs/init.log >/dev/null; echo "\${PIPESTATUS[*]}"`;
    const { stdout } = await this.#machine.exec(['bash', '-c', line, url], { env });
    const [curl = NaN, script = NaN] = stdout.split(' ').map(Number);
    return { curl, script, output: (await this.file('/var/log/acs/init.log')) ?? '' };
  }

  /** Undefined when there is no such file. */
  async file(path: string): Promise<string | undefined> {
    const { code, stdout } = await this.#machine.exec(['cat', path]);
    return code === 0 ? stdout : undefined;
  }

  async write(path: string, text: string): Promise<void> {
    await this.#machine.exec(['bash', '-c', 'mkdir -p "${0%/*}" && cat >"$0"', path], { input: text });
  }

  /** How a stub was called, from the first time on: the words of each call. */
  async calls(stub: string): Promise<string[][]> {
    const log = (await this.file(`/var/log/stub/${stub}.log`)) ?? '';
    return log
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** The Nodes as the cluster's API tells them. */
  async nodes(): Promise<Node[]> {
    const url = `https://${this.#endpoint}/api/v1/nodes`;
    return JSON.parse(await this.output(`curl -sk -H 'Authorization: Bearer ${adminToken}' ${url}`)).items;
  }

  /** What the running container runtime works with: version, `systemdCgroup`, `sandboxImage`, its whole configuration as `config`. */
  async runtime(socket = '/run/containerd/containerd.sock'): Promise<Readonly<Record<string, unknown>>> {
    const ask = 'import bench, json, sys; print(json.dumps(bench.ask_runtime(sys.argv[1])))';
    return JSON.parse(await this.output(`/opt/bench/bin/python3 -c '${ask}' ${socket}`));
  }

  async outcome(): Promise<Outcome> {
    const packages = await this.output(
      `rpm -qa --qf '%{NAME}-%|EPOCH?{%{EPOCH}:}|%{VERSION}-%{RELEASE}\\n' | grep -v ^gpg-pubkey | sort`,
    );
    const units: Record<string, string> = {};
    for (const unit of ['firewalld', 'docker', 'containerd', 'kubelet']) {
      const { stdout } = await this.shell(`systemctl is-active ${unit}; systemctl is-enabled ${unit} 2>/dev/null`);
      units[unit] = stdout.trim().replace('\n', ' ');
    }
    const joins = (await this.calls('kubeadm')).filter(([verb]) => verb === 'join').map((words) => words.slice(1));
    return { packages: packages.split('\n'), units, nodes: await this.nodes(), joins };
  }

  /**
   * Path → digest of everything that was ever written to the host's disk. Equal before and after: nothing was changed,
   * wherever it may be. Left out are journals, the stubs' own logs and bytecode, and what a mere `rpm -q` leaves beside its database.
   */
  written(): Record<string, string> {
    const { upper } = this.#machine;
    const entries = readdirSync(upper, { recursive: true, withFileTypes: true }).filter(
      (entry) => !entry.isDirectory(),
    );
    const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(upper.length));
    const kept = paths
      .filter((path) => !/^\/var\/(log\/(stub|journal|acs)\/|lib\/rpm\/.*-(shm|wal)$)|\/__pycache__\//.test(path))
      .sort();
    return Object.fromEntries(kept.map((path) => [path, digest(join(upper, path))]));
  }

  /** What a run that has nothing to do may not touch: files, packages, and the processes of the services. */
  async state(): Promise<Record<string, string>> {
    const files = `find /etc /usr/lib/systemd /var/lib/kubelet /var/lib/ackone-join -xdev`;
    const listed = await this.output(
      `${files} \\( -type l -printf '%l %p\\n' \\) -o \\( -type f -printf '%m ' -exec sha256sum {} \\; \\) 2>/dev/null
      rpm -qa | sort | sed 's/^/package /'
      for unit in containerd docker kubelet; do systemctl show -p MainPID $unit | sed "s/$/ $unit/"; done`,
    );
    return Object.fromEntries(
      listed.split('\n').map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(at + 1), sha256(line.slice(0, at))];
      }),
    );
  }
}

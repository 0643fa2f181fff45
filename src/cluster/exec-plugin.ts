/**
 * Credential plugins of a kubeconfig, run by ourselves: before the first request, with a time limit and with what they
 * say on stderr passed on. client-node has neither (facts/toolchain.md). Protocol: client-go
 * plugin/pkg/client/auth/exec/exec.go.
 */
import { spawn } from 'node:child_process';
import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import { Failure } from '../errors.ts';
import type { ExecEntry } from './kubeconfig.ts';

export interface PluginRun {
  readonly exec: ExecEntry;
  /** Folder of the kubeconfig: a command with a slash in it is relative to it. */
  readonly folder: string | undefined;
  readonly userName: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether somebody is there to be asked. */
  readonly interactive: boolean;
  readonly timeoutMs: number;
  /** What plugins get to know of the cluster, for provideClusterInfo. */
  readonly cluster: Readonly<Record<string, unknown>>;
  /** Called with what the plugin writes to stderr while it runs: a prompt must be seen. */
  readonly onOutput: ((text: string) => void) | undefined;
}

/** PEM texts, or a bearer token, or both. */
export interface PluginCredentials {
  readonly token: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

const optional = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
const execCredential = z.object({
  kind: z.literal('ExecCredential'),
  apiVersion: z.string(),
  status: z.object({ token: optional, clientCertificateData: optional, clientKeyData: optional }),
});

/** A log-in by a browser takes a person a while. */
const interactiveTimeoutMs = 120_000;
/** Kept of stderr, from its end. */
const keptOutput = 2000;

/** @throws Failure CredentialPluginFailed, CredentialPluginNeedsTerminal */
export async function runPlugin(run: PluginRun): Promise<PluginCredentials> {
  const { exec, interactive } = run;
  if (exec.interactiveMode === 'Always' && !interactive) {
    const what = `${about(run)} must ask somebody (interactiveMode: Always), and there is no terminal`;
    throw new Failure('CredentialPluginNeedsTerminal', what);
  }
  const stdout = await output(run, interactive && exec.interactiveMode !== 'Never');
  return credentials(run, stdout);
}

const about = ({ exec, userName }: PluginRun) => `the command ${exec.command} of user ${userName} in the kubeconfig`;

function credentials(run: PluginRun, stdout: string): PluginCredentials {
  const broken = (reason: string) => new Failure('CredentialPluginFailed', `${about(run)} ${reason}`);
  const found = execCredential.safeParse(json(stdout));
  if (!found.success) throw broken('gives no ExecCredential with a status');
  const { apiVersion, status } = found.data;
  if (run.exec.apiVersion !== undefined && apiVersion !== run.exec.apiVersion) {
    throw broken('answers in another apiVersion than the one in the kubeconfig');
  }
  const { token, clientCertificateData: certificate, clientKeyData: key } = status;
  if (token === undefined && certificate === undefined) throw broken('gives neither a token nor a certificate');
  if ((certificate === undefined) !== (key === undefined)) throw broken('gives only one of certificate and key');
  return { token, certificate, key };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The plugin's stdout. It gets standard input only where somebody can be asked. */
function output(run: PluginRun, asks: boolean): Promise<string> {
  const { exec, env, timeoutMs, cluster, folder, onOutput } = run;
  const limitMs = asks ? Math.max(timeoutMs, interactiveTimeoutMs) : timeoutMs;
  const spec = { interactive: asks, ...(exec.provideClusterInfo ? { cluster } : {}) };
  const info = { apiVersion: exec.apiVersion, kind: 'ExecCredential', spec };
  const child = spawn(commandPath(exec.command, folder), exec.args, {
    env: {
      ...env,
      ...Object.fromEntries(exec.env.map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify(info),
    },
    stdio: [asks ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    // A group of its own, so that what it started ends with it; but then it would have no terminal to ask at.
    detached: !asks,
  });
  let stdout = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(-keptOutput);
    onOutput?.(chunk);
  });
  return new Promise((resolvePromise, reject) => {
    const fail = (reason: string, next: readonly string[] = []) => {
      const causes = said.trim() === '' ? [] : [said.trim()];
      const steps = [...next, 'Run the command by hand.'];
      reject(new Failure('CredentialPluginFailed', `${about(run)} ${reason}`, { causes, next: steps }));
    };
    const limit = setTimeout(() => {
      fail(`did not finish within ${limitMs / 1000} s`, ['Log in first, or give a longer --timeout.']);
      stop(child.pid, !asks);
      child.stdout.destroy();
      child.stderr.destroy();
    }, limitMs);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(limit);
      const hint = exec.installHint === undefined ? [] : [exec.installHint];
      const missing = error.code === 'ENOENT';
      fail(missing ? 'is not on this machine' : `cannot be started (${error.code})`, missing ? hint : []);
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      if (code === 0) resolvePromise(stdout);
      else fail(code === null ? `was ended by ${signal}` : `ended with exit code ${code}`);
    });
  });
}

const commandPath = (command: string, folder: string | undefined): string =>
  command.includes('/') && !isAbsolute(command) && folder !== undefined ? resolve(folder, command) : command;

function stop(pid: number | undefined, group: boolean): void {
  if (pid === undefined) return;
  try {
    process.kill(group ? -pid : pid, 'SIGKILL');
  } catch {
    // It has ended by itself in the meantime.
  }
}

/** kubeadm's own side of a join, up to the point where it would touch the host. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JoinTarget } from '../../src/script/types.ts';
import type { ControlPlane } from './control-plane.ts';

const run = promisify(execFile);

/** What `kubeadm token create --print-join-command` prints for a token that is made by it. */
export async function printedJoinCommand(cluster: ControlPlane, token: string): Promise<string> {
  const args = ['token', 'create', token, '--print-join-command', '--kubeconfig', cluster.kubeconfig];
  return (await run(cluster.parts.kubeadm, args)).stdout;
}

/** kubeadm asks again for five minutes; nobody has to wait for that once it has said why. */
const gaveNoSignature = /could not find a JWS signature in the cluster-info ConfigMap for token ID/;

/**
 * `kubeadm join phase preflight`: discovery, the log-in with the token, the read of kubeadm-config, kubelet-config and
 * kube-proxy. It runs in an empty folder as its whole file system, so nothing of this machine is read or written.
 * @returns what it said, and whether it passed.
 */
export async function preflight(
  { parts, proxyUrl }: ControlPlane,
  { endpoint, token, pins }: JoinTarget,
): Promise<{ passed: boolean; output: string }> {
  const root = await mkdtemp(join(tmpdir(), 'ackone-join-host-'));
  // To change into that folder takes root, or a user namespace in which one is root.
  const asRoot = process.getuid?.() === 0 ? [] : ['unshare', '--map-root-user'];
  const [program = '', ...args] = [
    ...[...asRoot, parts.kubeadm, '--rootfs', root, 'join', 'phase', 'preflight', endpoint, '--token', token],
    ...pins.flatMap((pin) => ['--discovery-token-ca-cert-hash', pin]),
    ...['--node-name', 'new-node', '--ignore-preflight-errors', 'all', '-v', '1'],
  ];
  const child = spawn(program, args, { env: { HTTPS_PROXY: proxyUrl, PATH: process.env.PATH } });
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    if (gaveNoSignature.test(output)) child.kill('SIGKILL');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    return { passed: code === 0, output };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** A cluster installed from binaries: what only its owner knows is asked for on the spot. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { sandboxEnv } from '../support/program.ts';
import { liveUrl } from '../support/world.ts';
import type { Terminal } from './terminal.ts';
import { asks, wizard } from './wizard.ts';

let sandbox: Sandbox;
let terminal: Terminal;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(async () => {
  await terminal.close();
  await sandbox.close();
});

const open = (...words: readonly string[]) => wizard(words, { env: sandboxEnv(sandbox, { PATH: process.env.PATH }) });

it('asks where kubelet comes from, and publishes', async () => {
  terminal = open('--context', 'binary');
  await terminal.sees('What is missing must be answered first');
  await terminal.sees('needs --kubelet-source');
  await terminal.press('enter');
  await terminal.sees('--kubelet-source');
  terminal.type('rpm');
  await terminal.press('enter');
  await asks(terminal, 'found');
  await terminal.sees('192.0.2.50:6443');
  await terminal.press('enter');
  await asks(terminal, 'access');
  await terminal.press('enter');
  await asks(terminal, 'review');
  await terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen.everything()).toMatch(/^ *ackone-join init --yes .*--kubelet-source rpm/m);
  expect(liveUrl(sandbox, 'binary')).toContain('/ackone-join/binary/join-');
  expect(terminal.faults()).toEqual([]);
});

it('says a wrong answer beside the field, and keeps what was typed', async () => {
  terminal = open('--context', 'binary', '--kubelet-source', 'bin/kubelet');
  await terminal.sees('--kubelet-source must be an http or https URL, an absolute path on the image, or rpm');
  await terminal.sees('bin/kubelet');
  await terminal.press('ctrlC');
  expect(await terminal.ended()).toBe(130);
});

it('says what the cluster must grant, and prints the manifest at the end', async () => {
  terminal = open('--context', 'binary-bare', '--kubelet-source', 'rpm', '--kube-proxy', 'on-image');
  await asks(terminal, 'found');
  await terminal.press('enter');
  await asks(terminal, 'access');
  await terminal.press('enter');
  await terminal.sees('the cluster does not grant new nodes what they need');
  await terminal.sees('It is printed when you leave.');
  expect(terminal.screen.text()).not.toContain('ClusterRoleBinding');
  await terminal.press('down', 'down', 'down', 'enter');
  expect(await terminal.ended()).toBe(3);
  expect(terminal.screen.everything()).toContain('kind: ClusterRoleBinding');
});

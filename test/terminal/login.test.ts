/** H5: a credential plugin that asks at the terminal is seen, and can be answered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { World } from '../bad-input/the-world.ts';
import { sandboxEnv } from '../support/program.ts';
import type { Terminal } from './terminal.ts';
import { asks, walk, wizard } from './wizard.ts';

const plugin = fileURLToPath(new URL('fixtures/login.sh', import.meta.url));
const apiVersion = 'client.authentication.k8s.io/v1';

let sandbox: Sandbox;
let folder: string;
let terminal: Terminal;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-test-'));
});
afterEach(async () => {
  await terminal.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @param contexts How many the kubeconfig has; the first one's user logs in by the plugin. */
function open(contexts: number, words: readonly string[] = []): void {
  const world = new World(sandbox, join(folder, 'given'));
  const kubeconfig = world.kubeconfig((_cluster, user, whole) => {
    const pem = (name: string) => Buffer.from(String(user[name]), 'base64').toString();
    const status = {
      clientCertificateData: pem('client-certificate-data'),
      clientKeyData: pem('client-key-data'),
    };
    const credential = world.file('credential.json', JSON.stringify({ apiVersion, kind: 'ExecCredential', status }));
    whole.users[0]!.user = {
      exec: {
        apiVersion,
        command: plugin,
        interactiveMode: 'Always',
        env: [{ name: 'CREDENTIAL', value: credential }],
      },
    };
    whole.contexts = whole.contexts.slice(0, contexts);
  });
  terminal = wizard(words, { env: sandboxEnv(sandbox, kubeconfig) });
}

describe('H5 a login that asks', () => {
  it('with one context: the prompt is seen, the answer counts, and the wizard goes on', async () => {
    open(1);
    await terminal.sees('Code from your phone:');
    await terminal.settled();
    terminal.type('1234\r');
    await asks(terminal, 'found');
    await terminal.press('enter');
    await asks(terminal, 'access');
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.faults()).toEqual([]);
    // Once is enough.
    expect(terminal.screen.everything().split('Code from your phone:')).toHaveLength(2);
  });

  it('with several contexts it is not asked before that context is chosen', async () => {
    open(3);
    await walk(terminal, 'cluster');
    await terminal.sees('come from the command');
    expect(terminal.screen.everything()).not.toContain('Code from your phone:');
    await terminal.press('enter');
    await terminal.sees('Code from your phone:');
    terminal.type('1234\r');
    await asks(terminal, 'found');
  });

  it('a wrong answer is said, and can be tried again', async () => {
    open(1);
    await terminal.sees('Code from your phone:');
    terminal.type('0000\r');
    await terminal.sees('› Try again');
    expect(terminal.screen.text()).toContain('ended with exit code 1');
    await terminal.press('enter');
    await terminal.sees(/Try again.*Code from your phone:|Code from your phone:.*Code from your phone:/s);
    terminal.type('1234\r');
    await asks(terminal, 'found');
  });

  it('Ctrl-C at its prompt ends all of it', async () => {
    open(1);
    await terminal.sees('Code from your phone:');
    await terminal.press('ctrlC');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.faults()).toEqual([]);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Finding } from '../../src/errors.ts';
import { run } from '../support/program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ackone-join-render-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const command = `kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:${'ab'.repeat(32)}`;
const render = (...words: string[]) =>
  run(['render', '--kube-version', '1.28.3', '--runtime', 'containerd://1.6.28', '--join-command', command, ...words], {
    HOME: folder,
    XDG_CONFIG_HOME: folder,
  });

it('the document has the warnings that people see', async () => {
  const file = ['--output-file', join(folder, 'join.sh')];
  const text = await render(...file);
  expect(text.stderr).toMatch(/^Warning: the join command holds a token/m);
  const { exit, stdout, stderr } = await render(...file, '-o', 'json');
  expect([exit, stderr]).toEqual([0, '']);
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  for (const { what } of findings) expect(text.stderr).toContain(what);
  expect(findings).toContainEqual(expect.objectContaining({ severity: 'warning', code: 'JoinCommandOnCommandLine' }));
});

it('the script alone is on stdout, and warnings are on stderr', async () => {
  const { stdout, stderr } = await render();
  expect(stdout).toMatch(/^#!\/bin\/bash\n[\s\S]*\nmain "\$@"\n$/);
  expect(stderr).toMatch(/^Warning: /);
});

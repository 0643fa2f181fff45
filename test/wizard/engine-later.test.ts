import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { resolveAnswers } from '../../src/answers.ts';
import { engineLater } from '../../src/wizard/engine-later.ts';

test('what is asked before the first frame is drawn is answered after it', async () => {
  let draw = () => {};
  const drawn = new Promise<void>((resolve) => {
    draw = resolve;
  });
  const options = { env: {}, toolVersion: '0', now: () => new Date(), lend: <T>(work: () => Promise<T>) => work() };
  const engine = engineLater({ ...options, onPluginOutput: () => {} }, drawn);
  engine.forget();
  const { answers } = resolveAnswers('init', { flags: { kubeconfig: '/nonexistent/config' }, env: {}, known: {} });
  let ended = false;
  const found = engine.found(answers, true, new AbortController().signal).catch((error: unknown) => {
    ended = true;
    return error;
  });
  await pause(300);
  expect(ended).toBe(false);
  draw();
  expect(await found).toMatchObject({ code: 'KubeconfigMissing' });
  engine.forget();
});

/** The question explained on the spot: on every screen, while one types too, and with nothing lost by it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors.ts';
import { prerequisites } from '../../src/wizard/flow.ts';
import type { Place } from '../../src/wizard/model.ts';
import { screens } from '../../src/wizard/words.ts';
import { type Wizard, wizard } from './app-view.tsx';
import { closeViews, ctrl, keys } from './components/view.tsx';
import { layersOf, World } from './world.ts';

let world: World;
let shown: Wizard;
beforeEach(() => {
  world = new World();
});
afterEach(closeViews);

const flags = { bucket: 'example', access: 'vpc', vpcId: 'vpc-a' };
const f1 = '\u001bOP';

/** At this place, whatever the way there is. */
async function at(place: Place, cursor: string): Promise<void> {
  shown = wizard(world, layersOf(flags, ['lab', 'prod']), { columns: 100, rows: 40 });
  const { dispatch } = shown.session;
  dispatch({ type: 'answered', values: { context: 'lab' } });
  await shown.session.settled();
  dispatch({ type: 'answered', agreed: 'found' });
  await shown.sees('enter publish');
  expect(shown.session.state().agreed.found).toBe(prerequisites(shown.session.state(), 'found'));
  dispatch({ type: 'went', to: place });
  await shown.sees(cursor);
}

/** The help comes by this key, and what was there before comes back with what was typed. */
async function explains(key: string, text: string): Promise<void> {
  const before = shown.frame();
  await shown.press(key);
  expect(shown.frame().replaceAll('\n', ' ')).toContain(text);
  // It stands alone: what all screens begin with is not there.
  expect(shown.frame()).not.toMatch(/^ackone-join/m);
  await shown.press(keys.escape);
  // Review waits a moment before its enter counts.
  await expect.poll(shown.frame).toBe(before);
}

const firstWords = (text = '') => text.split(' ').slice(0, 6).join(' ');

describe.each(['?', ctrl('g'), f1])('%j', (key) => {
  it.each<[Place, string]>([
    [{ screen: 'cluster' }, '› lab'],
    [{ screen: 'found' }, '› Yes'],
    [{ screen: 'foreign' }, '› Keep it'],
    [{ screen: 'where' }, '› example'],
    [{ screen: 'access' }, '› Only this VPC'],
    [{ screen: 'vpc' }, '› vpc-a'],
    [{ screen: 'policy' }, '› Yes, add it'],
    [{ screen: 'unverified' }, '› No'],
    [{ screen: 'review' }, 'enter publish'],
    [{ screen: 'confirm' }, '› ▏'],
    [{ screen: 'change' }, '› kubeconfig'],
  ])('explains %o', async (place, cursor) => {
    await at(place, cursor);
    await explains(key, firstWords(screens[place.screen].help[0]));
  });

  it('explains an answer that is chosen, and one that is typed', async () => {
    await at({ screen: 'edit', key: 'selinux' }, '› disabled');
    await explains(key, 'SELinux');
    shown.session.dispatch({ type: 'went', to: { screen: 'edit', key: 'sandboxImage' } });
    await shown.sees('› ▏');
    await explains(key, 'Pause image');
  });
});

it('explains while something is waited for, and a failure', async () => {
  world.hangs.add('found');
  world.failures.found = [new Failure('ClusterTimeout', 'lab did not answer')];
  shown = wizard(world, layersOf(flags));
  await shown.sees('Waiting for');
  shown.type('?');
  await shown.sees(firstWords(screens.found.help[0]));
  await shown.press(keys.escape);
  await shown.sees('Waiting for');
  await shown.press(keys.escape);
  await shown.sees('Problem: this was cancelled');
  await explains('?', firstWords(screens.found.help[0]));
});

it('stays open when what was waited for has come', async () => {
  const { found } = world;
  let come = () => {};
  world.found = async (...given) => {
    await new Promise<void>((resolve) => {
      come = resolve;
    });
    return found(...given);
  };
  shown = wizard(world, layersOf(flags));
  await shown.sees('Waiting for');
  await shown.press('?');
  come();
  await shown.press();
  await shown.session.settled();
  await shown.sees(firstWords(screens.found.help[0]));
  await shown.press(keys.escape);
  await shown.sees('› Yes');
});

describe('while a script is published', () => {
  let fail: (failure: Failure) => void = () => {};
  beforeEach(async () => {
    world.published = (_, progress) => {
      progress.started('token', 'Secret kube-system/bootstrap-token-abcdef');
      return new Promise((_resolve, reject) => {
        fail = reject;
      });
    };
    await at({ screen: 'review' }, 'enter publish');
    await shown.press(keys.enter);
    await shown.sees('Token being made');
    shown.type('?');
    await shown.sees(firstWords(screens.publishing.help[0]));
  });

  it('esc closes the help, and cancels nothing', async () => {
    await shown.press(keys.escape);
    await shown.sees('Token being made');
    expect(shown.frame()).not.toContain('taken back …');
  });

  it('a failure is seen at once', async () => {
    fail(new Failure('OssForbidden', 'the upload was refused'));
    await shown.sees('Problem: the upload was refused');
    await explains('?', firstWords(screens.failed.help[0]));
  });
});

describe('where text is typed', () => {
  it('? is a character once there is text, and the footer tells the key that always helps', async () => {
    await at({ screen: 'edit', key: 'sandboxImage' }, '› ▏');
    await shown.sees(/\? help$/m);
    await shown.press('a', '?', 'b');
    await shown.sees('› a?b▏');
    await shown.sees(/ctrl-g help$/m);
    await explains(ctrl('g'), 'Pause image');
    await shown.press(keys.left, 'x');
    await shown.sees('› a?x▏b');
    await explains(f1, 'Pause image');
    await shown.press(keys.backspace, keys.backspace, keys.backspace, keys.right, keys.backspace);
    await shown.sees(/\? help$/m);
    await explains('?', 'Pause image');
  });

  it('? is a character of a filter once it holds one', async () => {
    await at({ screen: 'change' }, '› kubeconfig');
    await shown.sees(/\? help$/m);
    await shown.press('r', 'u', 'n');
    await shown.sees('› runtime');
    await shown.press(keys.down);
    await shown.sees('› runtime-version');
    await explains(ctrl('g'), 'Type to find one.');
    await shown.press('?');
    await shown.sees('Filter: run?▏  nothing matches');
  });

  it('the next screen takes ? again', async () => {
    await at({ screen: 'change' }, '› kubeconfig');
    await shown.press(...'selinux');
    await shown.sees('› selinux');
    await shown.press(keys.enter);
    await shown.sees('› disabled');
    await explains('?', 'SELinux');
  });
});

it('no consent comes out of what was typed behind the help', async () => {
  await at({ screen: 'review' }, 'enter publish');
  await shown.press('?');
  shown.type(`q${keys.enter}${keys.enter}`);
  await shown.sees('enter publish');
  await shown.session.settled();
  expect(world.asked).not.toContain('publish');
});

/** What the screens show, in windows of every size. */
import stringWidth from 'string-width';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors.ts';
import { flagOf, rows } from '../../src/questions.ts';
import { placeOf } from '../../src/wizard/place-of.ts';
import { screens } from '../../src/wizard/words.ts';
import { type Wizard, wizard } from './app-view.tsx';
import { closeViews, keys } from './components/view.tsx';
import { layersOf, planOf, World } from './world.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(closeViews);

const { enter, down } = keys;
const answered = layersOf({ bucket: 'example', access: 'vpc', vpcId: 'vpc-a' });

async function review(layers = answered, size = {}): Promise<Wizard> {
  const shown = wizard(world, layers, size);
  await shown.sees('Use these values?');
  await shown.press(enter);
  await shown.sees('enter publish');
  return shown;
}

describe.each([
  [40, 10],
  [40, 24],
  [80, 10],
  [60, 12],
  [100, 40],
])('%i columns and %i rows', (columns, rowsOfWindow) => {
  it('hold every question with its choices and its keys', async () => {
    const { choices } = world;
    const statement = { Effect: 'Allow', Resource: ['acs:oss:*:1:example/ackone-join/lab/*'] } as const;
    world.choices = (answers) => ({ ...choices(answers), statement });
    const shown = wizard(world, layersOf({}, ['lab', 'prod']), { columns, rows: rowsOfWindow });
    const fits = (cursor: string) => {
      expect(shown.frame()).toContain(cursor);
      expect(shown.lines().length).toBeLessThan(rowsOfWindow);
      for (const line of shown.lines()) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    };
    for (const cursor of ['› lab', '› Yes', '› example', '› Only this VPC', '› Yes, add it']) {
      await shown.sees(cursor);
      fits(cursor);
      fits('enter');
      await shown.press(enter);
    }
    await shown.sees('publish');
    fits('publish');
    await shown.press('e');
    await shown.sees('› kubeconfig');
    fits('› kubeconfig');
  });

  it('hold a failure with what to do', async () => {
    world.failures.found = [
      new Failure('ClusterForbidden', 'the user of context lab lacks 12 of the rights that publishing needs', {
        causes: Array.from({ length: 12 }, (_, index) => `not allowed: get configmaps kube-system/thing-${index}`),
      }),
    ];
    const shown = wizard(world, answered, { columns, rows: rowsOfWindow });
    await shown.sees('› Show the role that is needed');
    expect(shown.lines().length).toBeLessThan(rowsOfWindow);
    await shown.sees(/lacks\s+12\s+of\s+the\s+rights/);
  });
});

describe('the plan', () => {
  it('is a list of steps, like a diff, with what nodes read and what is done on them', async () => {
    const { frame } = await review(answered, { columns: 100 });
    expect(frame()).toMatch(/^\+ Secret kube-system\/bootstrap-token-abcdef, never expires$/m);
    expect(frame()).toMatch(/^~ ConfigMap kube-system\/ack-agent-config: addNodeScriptPath = https:.*…$/m);
    expect(frame()).toContain('nodes can read it: yes, statement 1 of the bucket policy allows it');
    expect(frame()).toContain('firewall disable, selinux disabled, swap disable');
  });

  it('warns, and says where the rest is', async () => {
    world.plan = planOf({
      findings: [{ severity: 'warning', code: 'TokenExpires', what: 'the token stops working soon', next: [] }],
    });
    await (await review()).sees('! The token stops working soon');
  });

  it.each([
    ['s', 'The script, its token masked'],
    ['d', 'From the live script to the new one'],
    ['v', 'The whole plan'],
    ['?', 'This is everything that will be done'],
    ['e', 'Which answer?'],
  ])('%s shows something else, and esc comes back', async (key, title) => {
    const shown = await review();
    const before = shown.frame();
    await shown.press(key);
    await shown.sees(title);
    await shown.press(keys.escape);
    await shown.sees('enter publish');
    expect(shown.frame()).toBe(before);
  });

  it('shows what changes between the two scripts', async () => {
    const shown = await review();
    await shown.press('d');
    await shown.sees(/ -old$/m);
    await shown.sees(/ \+new$/m);
  });

  it('says when nothing is to be done', async () => {
    world.plan = planOf({ changes: false });
    const shown = wizard(world, answered);
    await shown.press(enter);
    await shown.sees('No changes: what is live is what would be published.');
    await shown.sees('enter end');
  });

  it('is not agreed to by keys that were pressed before it could be read', async () => {
    const shown = wizard(world, answered);
    await shown.sees('Use these values?');
    shown.type(enter + enter + enter + enter);
    await shown.sees('enter publish');
    await shown.session.settled();
    expect(world.asked).not.toContain('publish');
  });
});

describe('publishing', () => {
  it('shows each step with its time, masks the token, and clears the screen at the end', async () => {
    let go = () => {};
    const { published } = world;
    world.published = async (plan, progress, signal) => {
      progress.started('history', 'ConfigMap kube-system/ackone-join');
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return published(plan, progress, signal);
    };
    const shown = await review();
    await shown.press(enter);
    await shown.sees('History entry being written …');
    await shown.sees(/· Token {2}abcdef\.\*{16}, never expires/);
    go();
    await shown.sees(/✔ History completed .*, \d+\.\d s/);
    await shown.sees(/✔ Token made, signed and proven {2}abcdef\.\*{16}, never expires, \d+\.\d s/);
    expect(shown.cleared()).toBe(true);
    expect(shown.frame()).not.toContain('Publishing');
  });

  it('says what was undone and what stands, and offers what to do', async () => {
    world.failures.publish = [
      new Failure('OssForbidden', 'the upload was refused', {
        causes: ['taken back: Secret kube-system/bootstrap-token-abcdef', 'the live script is what it was'],
      }),
    ];
    const shown = await review();
    await shown.press(enter);
    for (const text of ['Problem: the upload was refused', 'taken back: Secret', 'the live script is what it was'])
      await shown.sees(text);
    for (const text of ['› Try again', 'Change an answer', 'Leave']) await shown.sees(text);
    await shown.press(enter);
    await shown.sees('enter publish');
    await shown.press(enter);
    expect(shown.cleared()).toBe(true);
  });

  it('tells that what was made is taken back when it is cancelled', async () => {
    world.published = (_, progress, signal) => {
      progress.started('token', 'Secret kube-system/bootstrap-token-abcdef');
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason), 300));
      });
    };
    const shown = await review();
    await shown.press(enter);
    await shown.sees('Token being made');
    await shown.press(keys.escape);
    await shown.sees(/taken back …|this was cancelled/);
    await shown.sees('Problem: this was cancelled');
  });
});

describe('waiting', () => {
  it('says for what and since when, and esc cancels it', async () => {
    world.hangs.add('found');
    const shown = wizard(world);
    await shown.sees('Waiting for the cluster of context lab, 0 s');
    await shown.sees('Waiting for the cluster of context lab, 1 s');
    await shown.press(keys.escape);
    await shown.sees('Problem: this was cancelled');
    world.hangs.clear();
    await shown.press(enter);
    await shown.sees('Use these values?');
  });
});

describe('questions', () => {
  it('each answer of init has its place: it stands in the list of answers, and can be given', async () => {
    const all = rows.filter(([, { for: commands }]) => commands.includes('init'));
    const shown = await review(answered, { columns: 100, rows: all.length + 10 });
    await shown.press('e');
    await shown.sees('› kubeconfig');
    for (const [key] of all) expect(shown.frame()).toMatch(new RegExp(`^[› ] ${flagOf(key).slice(2)} `, 'm'));
    for (const [key, { ask, help }] of all) {
      shown.session.dispatch({ type: 'went', to: placeOf(key) });
      const { screen } = placeOf(key);
      await shown.sees(screen === 'edit' ? (ask ?? help.replace(/ \(.*/, '').slice(1, 25)) : screens[screen].question);
    }
  });

  it('a list with a thousand contexts is narrowed by typing', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `cluster-${index}`);
    const shown = wizard(world, layersOf({}, names));
    await shown.press('9', '9', '9');
    await shown.sees('› cluster-999');
    await shown.press(enter);
    expect(shown.session.state().resolved.answers.context).toBe('cluster-999');
  });

  it('the VPC that reads already is what the cursor is on, and still needs an enter', async () => {
    const { choices } = world;
    world.choices = (answers) => ({
      ...choices(answers),
      ...(answers.vpcId === undefined && { vpc: undefined }),
      vpcIds: ['vpc-a', 'vpc-b', 'vpc-c'],
      readers: ['vpc-a', 'vpc-b'],
    });
    const shown = wizard(world, layersOf({ bucket: 'example' }));
    await shown.press(enter);
    await shown.sees('› Only this VPC');
    await shown.press(enter);
    await shown.sees(/^› vpc-b +the bucket policy lets it read the place of the script$/m);
    expect(shown.frame()).toMatch(/^ {2}vpc-c +named by the bucket policy$/m);
    await shown.press(enter);
    await shown.sees('enter publish');
    expect(shown.session.state().resolved.answers.vpcId).toBe('vpc-b');
  });

  it('what a stranger has named cannot move the cursor', async () => {
    const shown = wizard(world, layersOf({}, ['lab', 'x\u001b[2Jy']));
    await shown.press(down, enter);
    await shown.sees('x\\u001b[2Jy');
    expect(shown.frame()).not.toContain('\u001b');
  });
});

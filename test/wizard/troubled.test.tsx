/** Clusters with a trouble, walked with keys: what is said, and what can be done about it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors.ts';
import { discoveryOf, factsOf, nodeOf } from '../script/fixtures.ts';
import { wizard } from './app-view.tsx';
import { closeViews, keys, pasted } from './components/view.tsx';
import { layersOf, planOf, World } from './world.ts';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(closeViews);

const { enter, down } = keys;
const bucket = layersOf({ bucket: 'example' });

describe('no right to make Secrets', () => {
  const forbidden = () =>
    new Failure('ClusterForbidden', 'the user of context lab lacks 1 of the rights that publishing needs', {
      causes: ['not allowed: create secrets in kube-system (the bootstrap token of the script)'],
    });

  it('says what is missing and what to do, and shows the role', async () => {
    world.failures.found = [forbidden()];
    const shown = wizard(world);
    await shown.sees('not allowed: create secrets in kube-system');
    await shown.sees('Next: Ask for the role');
    await shown.sees('› Show the role that is needed');
    await shown.press(enter);
    await shown.sees('kind: ClusterRole');
    await shown.press(keys.escape);
    await shown.sees('Paste a join command that somebody else made');
  });

  it('goes on with a join command that is pasted, and never shows its token', async () => {
    world.failures.found = [forbidden()];
    const shown = wizard(world);
    await shown.press(down, enter);
    await shown.sees('A kubeadm join command');
    const secret = '0123456789abcdef';
    const command = `kubeadm join 192.0.2.10:6443 --token abcdef.${secret} --discovery-token-ca-cert-hash sha256:${'a1'.repeat(32)}`;
    const frames: string[] = [];
    await shown.press(pasted(`abcdef.${secret}`));
    frames.push(shown.frame());
    expect(frames[0]).toContain('•'.repeat(23));
    await shown.press(...Array<string>(23).fill(keys.backspace), pasted(command));
    frames.push(shown.frame());
    await shown.press(enter);
    await shown.sees('Use these values?');
    frames.push(shown.frame());
    expect(shown.session.state().resolved.answers.joinCommand).toBe(command);
    expect(frames.join('\n')).not.toContain('abcdef');
    expect(frames.join('\n')).not.toContain(secret);
  });

  it('reads the cluster again when the right was given meanwhile', async () => {
    world.failures.found = [forbidden()];
    const shown = wizard(world);
    await shown.press(down, down, enter);
    await shown.sees('Use these values?');
  });

  it('exits with that failure when one leaves', async () => {
    world.failures.found = [forbidden()];
    const shown = wizard(world);
    await shown.press(down, down, down, enter);
    expect(shown.left()).toBe(true);
  });
});

describe('C4: docker on 1.26, with a server name that ECS cannot resolve', () => {
  beforeEach(() => {
    world.facts = factsOf({
      version: 'v1.26.9',
      nodes: [nodeOf({ kubeletVersion: 'v1.26.9', runtime: 'docker://20.10.24' })],
      discovery: discoveryOf({ server: 'https://apiserver.cluster.local:6443' }),
    });
  });

  it('shows both as rows that need an answer, and asks for them', async () => {
    const shown = wizard(world, bucket);
    await shown.sees(/Needs an answer\s+\? .*apiserver\.cluster\.local:6443/);
    await shown.sees(/Needs an answer 2\s+\? Kubernetes 1\.26\.9 cannot use docker 20\.10\.24 without cri-dockerd/);
    expect(shown.frame()).not.toContain('› Yes');
    await shown.sees(/--cri-dockerd-url/);
    await shown.sees(/--api-server-ip/);

    await shown.press(enter);
    await shown.sees("Address of the API server's name");
    await shown.press('999', enter);
    await shown.sees('must be an IPv4 or IPv6 address');
    await shown.press(keys.backspace, keys.backspace, keys.backspace, pasted('192.0.2.10'), enter);
    await shown.sees('What is missing must be answered first');
    expect(shown.frame()).not.toContain('apiserver.cluster.local:6443 is a name');

    await shown.press(enter);
    await shown.sees('RPM of cri-dockerd');
    await shown.press(pasted('https://example.com/cri-dockerd-0.3.4.rpm'), enter);
    await shown.sees('› Yes');
    await shown.press(enter);
    await shown.sees('Who may read the script?');
    expect(shown.session.state().resolved.answers).toMatchObject({
      apiServerIp: '192.0.2.10',
      criDockerdUrl: 'https://example.com/cri-dockerd-0.3.4.rpm',
    });
  });

  it('says so before the first answer too where the window is small', async () => {
    const shown = wizard(world, bucket, { columns: 40, rows: 10 });
    await shown.sees('? Needs an answer');
    expect(shown.lines().length).toBeLessThan(10);
  });
});

describe('a live script that is not ours', () => {
  const url = 'https://example.com/join.sh';
  beforeEach(() => {
    world.live = { url, ours: false };
  });

  it('is kept unless somebody says otherwise', async () => {
    const shown = wizard(world, bucket);
    await shown.press(enter);
    await shown.sees(url);
    await shown.sees('› Keep it');
    await shown.press(enter);
    expect(shown.left()).toBe(true);
    expect(world.asked).not.toContain('publish');
  });

  it('gets our block with a later version', async () => {
    const shown = wizard(world, bucket);
    await shown.press(enter, down);
    await shown.sees('› Put our block into it');
    await shown.press(enter);
    await shown.sees('This comes with a later version');
    expect(shown.left()).toBe(false);
  });

  it('is replaced when that is chosen', async () => {
    const shown = wizard(world, bucket);
    await shown.press(enter, down, down, enter);
    await shown.sees('Who may read the script?');
    expect(shown.session.state().resolved.answers.replaceForeign).toBe(true);
  });
});

describe('a kubeadm cluster that needs no script', () => {
  it.each(['v1.26.9', 'v1.28.3', 'v1.30.8', 'v1.34.1'])('%s is told so', async (version) => {
    world.facts = factsOf({ version });
    await wizard(world).sees('ACK One needs no script of yours');
  });

  it.each(['v1.27.1', 'v1.29.2'])('%s is not', async (version) => {
    world.facts = factsOf({ version });
    const shown = wizard(world);
    await shown.sees('Use these values?');
    expect(shown.frame()).not.toContain('needs no script');
  });
});

describe('who may read the script', () => {
  it('refuses the bucket as it is when nodes could not read it, and says why', async () => {
    const shown = wizard(world, bucket);
    await shown.press(enter, down, enter);
    await shown.sees('Problem: nodes could not read the script: the bucket ACL is private');
    expect(shown.session.state().at.screen).toBe('access');
  });

  it('shows the statement before it is written', async () => {
    const { choices } = world;
    const statement = { Effect: 'Allow', Resource: ['acs:oss:*:1:example/ackone-join/lab/*'] } as const;
    world.choices = (answers) => ({ ...choices(answers), statement });
    const shown = wizard(world, bucket);
    await shown.press(enter, enter);
    await shown.sees('acs:oss:*:1:example/ackone-join/lab/*');
    await shown.press(enter);
    await shown.sees('Publish?');
    expect(shown.session.state().resolved.answers.manageBucketPolicy).toBe(true);
  });

  it('asks for the name of the bucket before it is made public', async () => {
    world.plan = planOf();
    const shown = wizard(world, layersOf({ bucket: 'example', access: 'public-read' }));
    await shown.press(enter);
    await shown.sees('enter publish');
    await shown.press(enter);
    await shown.sees('Type the name of the bucket');
    await shown.press('other', enter);
    await shown.sees('that is not example');
    expect(world.asked).not.toContain('publish');
    await shown.press(...Array<string>(5).fill(keys.backspace), 'example', enter);
    await shown.sees('enter publish');
    await shown.press(enter);
    expect(shown.cleared()).toBe(true);
  });
});

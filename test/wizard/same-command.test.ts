/** What the end says: one command, that a shell takes as it is, and that finds nothing left to do. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Given } from '../../src/wizard/model.ts';
import { initialState, reduce } from '../../src/wizard/model.ts';
import { sameCommand } from '../../src/wizard/same-command.ts';
import { layersOf } from './world.ts';

const run = promisify(execFile);

function commandOf(values: Given, flags: Record<string, unknown> = {}, contexts?: readonly string[]) {
  return sameCommand(reduce(initialState(layersOf(flags, contexts)), { type: 'answered', values }));
}

/** The words that bash makes of it. */
async function words(command: string): Promise<readonly string[]> {
  const { stdout } = await run('bash', ['-c', `ackone-join() { printf '%s\\0' "$@"; }; ${command}`]);
  return stdout.split('\0').slice(0, -1);
}

describe('the same as one command', () => {
  it('names what was decided, and no default', () => {
    const { command, variables } = commandOf(
      { bucket: 'example', access: 'vpc', vpcId: 'vpc-a', firewall: 'disable', selinux: 'keep', tokenTtl: '36h' },
      { manageBucketPolicy: true, timeout: '10s' },
    );
    expect(command).toBe(
      'ackone-join init --yes --context lab --selinux keep --token-ttl 36h --bucket example --access vpc --vpc-id vpc-a --manage-bucket-policy',
    );
    expect(variables).toEqual([]);
  });

  it.each([
    'my lab',
    "it's",
    '生产集群',
    '../../x',
    'a"b`c$d',
    'arn:aws:eks:r:0:cluster/x',
    '-x',
    '--yes',
    'tab\there',
  ])('H6 a shell makes the context %j of it again', async (context) => {
    const made = await words(commandOf({ context }, {}, [context, 'lab']).command);
    const joined = made.includes(`--context=${context}`) || made[made.indexOf('--context') + 1] === context;
    expect(joined).toBe(true);
  });

  it('repeats a flag that may be given several times', async () => {
    const { command } = commandOf({ sysctl: ['vm.swappiness=0', 'net.core.somaxconn=1024'] });
    expect(await words(command)).toEqual(
      'init --yes --context lab --sysctl vm.swappiness=0 --sysctl net.core.somaxconn=1024'.split(' '),
    );
  });

  it('says no to what a file says yes to', () => {
    const layers = { ...layersOf({ newToken: false }), user: { path: 'config.yaml', values: { newToken: true } } };
    expect(sameCommand(initialState(layers)).command).toBe('ackone-join init --yes --context lab --no-new-token');
  });

  it('holds no secret: it names the variable to set', () => {
    const { command, variables } = commandOf({
      joinCommand: 'kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef',
      criDockerdUrl: 'https://me:password@example.com/cri-dockerd.rpm',
      scriptUrl: 'https://example.com/join.sh?OSSAccessKeyId=x&Signature=y',
    });
    expect(command).toBe('ackone-join init --yes --context lab');
    expect(variables).toEqual(['ACKONE_JOIN_JOIN_COMMAND', 'ACKONE_JOIN_CRI_DOCKERD_URL', 'ACKONE_JOIN_SCRIPT_URL']);
  });

  it('says the name again that was typed for what is hard to take back', () => {
    const state = reduce(initialState(layersOf({ bucket: 'example', access: 'public-read' })), {
      type: 'confirmed',
      name: 'example',
    });
    expect(sameCommand(state).command).toMatch(/ --access public-read --confirm example$/);
  });

  it('stays in the sandbox', () => {
    expect(commandOf({}, { sandbox: true }).command).toBe('ackone-join init --yes --sandbox --context lab');
  });
});

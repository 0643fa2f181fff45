/** The ALIBABA_CLOUD_* block: the file that kubelet's unit reads, in whatever shape it stands there. */
import { describe, expect, test } from 'vitest';
import { Host } from './bash.ts';

const file = '/etc/sysconfig/kubelet';
const ours = '--hostname-override=node-1 --provider-id=cn-hangzhou.i-1';
const lists = '--node-labels=a=1,b=2 --register-with-taints=k=v:NoSchedule';

/** Runs the block on a file (undefined: there is none) and gives what stands there after one and after two runs. */
function block(
  text: string | undefined,
  labels = 'a=1,b=2',
  taints = 'k=v:NoSchedule',
  flags = '',
  gone = '',
): readonly string[] {
  const host = new Host(text === undefined ? {} : { [file]: text });
  const after = () => {
    const result = host.run(
      ['lib/host.sh', 'join/kubelet.sh'],
      `mkdir -p "$ROOT/etc/sysconfig"
       kubelet_args "$ROOT${file}" '${gone}' '${labels}' '${taints}' ${flags} ${ours}`,
    );
    expect(result).toMatchObject({ status: 0, stderr: '' });
    return host.read(file);
  };
  return [after(), after()];
}

/** Shape of the file → what is left of it: `flags` before ours, labels and taints, and the other lines. */
interface Expected {
  readonly flags?: string;
  readonly lists?: string;
  readonly rest?: string;
  /** The assignment's value as it stands in the file, where it needs quotes. */
  readonly value?: string;
}
const shapes: readonly (readonly [shape: string, before: string | undefined, after: Expected])[] = [
  ['D4 (a) no file', undefined, {}],
  ['D4 (b) zero bytes', '', {}],
  ['D4 (c) only in a comment', '#KUBELET_EXTRA_ARGS=--x\n', { rest: '#KUBELET_EXTRA_ARGS=--x\n' }],
  ['a semicolon comment', '; KUBELET_EXTRA_ARGS=--x\n', { rest: '; KUBELET_EXTRA_ARGS=--x\n' }],
  ['as the RPM ships it', 'KUBELET_EXTRA_ARGS=\n', {}],
  ['empty, quoted', 'KUBELET_EXTRA_ARGS=""\n', {}],
  ['no newline at the end', 'KUBELET_EXTRA_ARGS=--v=2', { flags: '--v=2 ' }],
  ['another flag', 'KUBELET_EXTRA_ARGS=--v=2\n', { flags: '--v=2 ' }],
  ['double quotes (the sample breaks them)', 'KUBELET_EXTRA_ARGS="--v=2 --x"\n', { flags: '--v=2 --x ' }],
  ['single quotes', "KUBELET_EXTRA_ARGS='--v=2 --x'\n", { flags: '--v=2 --x ' }],
  ['two quoted pieces', 'KUBELET_EXTRA_ARGS=\'--v=2 \'"--x"\n', { flags: '--v=2 --x ' }],
  ['spaces around the sign', ' KUBELET_EXTRA_ARGS = --v=2  \n', { flags: '--v=2 ' }],
  ['D2 old name and provider id', 'KUBELET_EXTRA_ARGS=--hostname-override=old-name --provider-id=old\n', {}],
  ['D2 as two words', 'KUBELET_EXTRA_ARGS=--hostname-override old --v=2 --provider-id old\n', { flags: '--v=2 ' }],
  ['what the sample leaves after two runs', 'KUBELET_EXTRA_ARGS=--provider-id=X,X --hostname-override=N,N\n', {}],
  [
    'labels',
    'KUBELET_EXTRA_ARGS=--node-labels=a=0,c=3\n',
    { lists: `--node-labels=c=3,a=1,b=2 --register-with-taints=k=v:NoSchedule` },
  ],
  [
    'labels twice and doubled',
    'KUBELET_EXTRA_ARGS=--node-labels=c=1,c=2 --node-labels c=3,\n',
    { lists: `--node-labels=c=3,a=1,b=2 --register-with-taints=k=v:NoSchedule` },
  ],
  [
    'taints: ours wins per key and effect',
    'KUBELET_EXTRA_ARGS=--register-with-taints=k=old:NoSchedule,k=x:NoExecute\n',
    { lists: '--node-labels=a=1,b=2 --register-with-taints=k=x:NoExecute,k=v:NoSchedule' },
  ],
  [
    'labels in quotes',
    'KUBELET_EXTRA_ARGS="--node-labels=\\"c=3\\""\n',
    { lists: '--node-labels=c=3,a=1,b=2 --register-with-taints=k=v:NoSchedule' },
  ],
  [
    'several assignments: the last counts for systemd',
    'KUBELET_EXTRA_ARGS=--a\nKUBELET_EXTRA_ARGS=--b\n',
    { flags: '--b ' },
  ],
  ['continuation lines', 'KUBELET_EXTRA_ARGS=--a \\\n  --b\n', { flags: '--a --b ' }],
  [
    'a comment that goes on',
    '# one \\\nKUBELET_EXTRA_ARGS=--not-me\n',
    { rest: '# one \\\nKUBELET_EXTRA_ARGS=--not-me\n' },
  ],
  [
    'other variables and comments stay',
    '# mine\nFOO="a b"\nKUBELET_EXTRA_ARGS=--v=2\nBAR=c\n',
    { flags: '--v=2 ', rest: '# mine\nFOO="a b"\nBAR=c\n' },
  ],
  ['a longer name is another variable', 'MY_KUBELET_EXTRA_ARGS=--x\n', { rest: 'MY_KUBELET_EXTRA_ARGS=--x\n' }],
  [
    "the sample's fallback",
    '[Service]\nEnvironment="KUBELET_EXTRA_ARGS=--x"\n',
    { rest: '[Service]\nEnvironment="KUBELET_EXTRA_ARGS=--x"\n' },
  ],
  ['an unclosed quote before', 'FOO="a\n', { rest: 'FOO="a\n' }],
  [
    'a word with a space keeps its quotes',
    'KUBELET_EXTRA_ARGS="--a=\'x y\'"\n',
    { value: `"--a='x y' ${ours} ${lists}"` },
  ],
  ['a word with a backslash', "KUBELET_EXTRA_ARGS='--a=x\\y'\n", { value: `"--a=x\\\\y ${ours} ${lists}"` }],
  ['CRLF', 'KUBELET_EXTRA_ARGS=--v=2\r\nFOO=a\r\n', { flags: '--v=2 ', rest: '\nFOO=a\r\n' }],
  ['bytes that are no UTF-8', 'FOO=\xe9\xff\n', { rest: 'FOO=\xe9\xff\n' }],
];

describe('SH D2 D4: KUBELET_EXTRA_ARGS is set, merged or replaced, once and twice alike', () => {
  test.each(shapes)('%s', (_shape, before, expected) => {
    const value = expected.value ?? `${expected.flags ?? ''}${ours} ${expected.lists ?? lists}`;
    const wanted = `KUBELET_EXTRA_ARGS=${value}\n${expected.rest ?? ''}`;
    expect(block(before)).toEqual([wanted, wanted]);
  });
});

test('SH: a flag of ours replaces all of its name, two-word forms and switches too', () => {
  const before = 'KUBELET_EXTRA_ARGS=--v 4 --fail-swap-on --v=3 --keep 1\n';
  const wanted = `KUBELET_EXTRA_ARGS=--keep 1 --v=2 --fail-swap-on=false ${ours} ${lists}\n`;
  expect(block(before, undefined, undefined, '--v=2 --fail-swap-on=false')).toEqual([wanted, wanted]);
});

test('SH: what an earlier run has put there, for another pool or on the machine that the image was made of, goes', () => {
  const before =
    'KUBELET_EXTRA_ARGS=--node-labels=mine=1,pool=old,a=9 --register-with-taints=mine=x:NoExecute,old=y:NoSchedule\n';
  const after = `KUBELET_EXTRA_ARGS=${ours} --node-labels=mine=1,a=1 --register-with-taints=mine=x:NoExecute\n`;
  expect(block(before, 'a=1', '', '', 'pool=old,a=9,old=y:NoSchedule')).toEqual([after, after]);
});

test('SH: without labels and taints neither flag is written', () => {
  expect(block('', '', '')[1]).toBe(`KUBELET_EXTRA_ARGS=${ours}\n`);
});

const unit = (exec: string, ...environmentFiles: readonly string[]) => `
  systemctl() {
    case $1 in
      cat) printf '%s\\n' '[Service]' ${environmentFiles.map((path) => `'EnvironmentFile=-${path}'`).join(' ')} ;;
      show) echo 'ExecStart={ path=/usr/bin/kubelet ; argv[]=/usr/bin/kubelet ${exec} ; }' ;;
    esac
  }`;
const unitFiles = ['lib/host.sh', 'join/kubelet.sh'];

test('SH D4 (d): the file is the one that the installed unit reads, not a fixed one', () => {
  const script = unit(
    '$KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS',
    '/var/lib/kubelet/kubeadm-flags.env',
    '/etc/default/kubelet',
  );
  expect(new Host().run(unitFiles, `${script}\nkubelet_file`).stdout).toBe('/etc/default/kubelet\n');
});

test.each([
  ['in braces, which makes one word of all (D8)', '${KUBELET_EXTRA_ARGS}', ['/etc/sysconfig/kubelet']],
  ['not at all', '--config=/x', ['/etc/sysconfig/kubelet']],
  ['from no file', '$KUBELET_EXTRA_ARGS', []],
])('SH: a unit that passes KUBELET_EXTRA_ARGS %s stops the script', (_how, exec, files) => {
  const { status, stderr } = new Host().run(unitFiles, `${unit(exec, ...files)}\nkubelet_file`);
  expect(stderr).toContain('(kubelet-unit, exit code 53)');
  expect(status).toBe(53);
});

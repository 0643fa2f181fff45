/** Unit files as systemd reads them: what `systemd-analyze verify` of systemd 252 says of the same text, but for variables. */
import { describe, expect, test } from 'vitest';
import { assignmentsOf, wordsOf } from '../../src/script/unit-file.ts';

const texts = (value: string) => wordsOf(value)?.map(({ text }) => text);

describe('assignments', () => {
  test('have their section, their name and the lines that they take', () => {
    const text = `Lost=1
[Unit]
# A comment=1
; another=1

 Description = kubelet = agent${'\t'}
[Service]
ExecStart=/usr/bin/kubelet \\
  # not this \\
  --a \\
  ; nor this
  --b=c
Restart=always
no assignment
ExecStart=
`;
    expect(assignmentsOf(text)).toEqual([
      { section: '', name: 'Lost', value: '1', from: 1, to: 2 },
      { section: 'Unit', name: 'Description', value: 'kubelet = agent', from: 6, to: 7 },
      { section: 'Service', name: 'ExecStart', value: '/usr/bin/kubelet    --a    --b=c', from: 8, to: 13 },
      { section: 'Service', name: 'Restart', value: 'always', from: 13, to: 14 },
      { section: 'Service', name: 'ExecStart', value: '', from: 15, to: 16 },
    ]);
  });

  test.each([
    [
      'an empty line ends it',
      'A=1 \\\n\n--v=4\n',
      [
        ['A', '1'],
        ['--v', '4'],
      ],
    ],
    ['a section in the middle is a value', 'A=1 \\\n[Service]\n', [['A', '1  [Service]']]],
    [
      'an escaped backslash goes on nowhere',
      'A=1 \\\\\nB=2',
      [
        ['A', '1 \\\\'],
        ['B', '2'],
      ],
    ],
    ['a third one does', 'A=1 \\\\\\\nB=2', [['A', '1 \\\\ B=2']]],
    [
      'blanks behind the backslash end it',
      'A=1 \\ \nB=2',
      [
        ['A', '1 \\'],
        ['B', '2'],
      ],
    ],
    ['the end of the file ends it', 'A=1 \\', [['A', '1']]],
    ['a comment at the end of the file too', 'A=1 \\\n# x', [['A', '1']]],
    ['words that a line break parts stay two', 'A=1\\\n2', [['A', '1 2']]],
    ['a comment does not go on', '# x \\\nA=1', [['A', '1']]],
  ])('%s', (_, text, wanted) => {
    expect(assignmentsOf(text).map(({ name, value }) => [name, value])).toEqual(wanted);
  });
});

describe('words', () => {
  test.each([
    ['', []],
    [' \t a\t b  ', ['a', 'b']],
    ['--a="b c" \'d e\' x"y z"w', ['--a=b c', 'd e', 'xy zw']],
    ['"" \'\'', ['', '']],
    [`"it's" 'so "called"'`, ["it's", 'so "called"']],
    [String.raw`"--y=\"q\"" 'a\'b' \"`, ['--y="q"', "a'b", '"']],
    [String.raw`\x41 \101 \u00e9 \U0001F600 'a\x41' \s\t`, ['A', 'A', 'é', '😀', 'aA', ' \t']],
    [String.raw`a\\b`, [String.raw`a\b`]],
    // What systemd does not know, it leaves as it is, with a warning in its log.
    [String.raw`\d \x4 \X41 a\ b \U00110000`, ['\\d', '\\x4', '\\X41', 'a\\ b', '\\U00110000']],
    ['a\u00a0b \u00a0c', ['a\u00a0b', '\u00a0c']],
    ['--x=$FOO ${FOO} $$ %i', ['--x=$FOO', '${FOO}', '$$', '%i']],
  ])('of %j', (value, wanted) => {
    expect(texts(value)).toEqual(wanted);
  });

  test('as they stand keep their quotes', () => {
    expect(wordsOf(`"a b"c  \\x41`)).toEqual([
      { raw: '"a b"c', text: 'a bc' },
      { raw: '\\x41', text: 'A' },
    ]);
  });

  test.each(['"a', "a 'b", '"a\\"', `'a"`])('%s is not closed', (value) => {
    expect(wordsOf(value)).toBeUndefined();
  });
});

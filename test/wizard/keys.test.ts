import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyParser, type Key } from '../../src/wizard/keys.ts';

const names = (keys: readonly Key[]) => keys.map(({ name }) => name);
const parsed = (...chunks: readonly (string | Buffer)[]) => {
  const parser = createKeyParser();
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.flush()];
};

describe('what terminals send', () => {
  it.each([
    ['\u001b[A', 'up'],
    ['\u001bOA', 'up'],
    ['\u001b[B', 'down'],
    ['\u001b[C', 'right'],
    ['\u001b[D', 'left'],
    ['\u001b[H', 'home'],
    ['\u001b[1~', 'home'],
    ['\u001b[7~', 'home'],
    ['\u001bOF', 'end'],
    ['\u001b[4~', 'end'],
    ['\u001b[5~', 'pageup'],
    ['\u001b[6~', 'pagedown'],
    ['\u001b[3~', 'delete'],
    ['\u001b[Z', 'backtab'],
    ['\u001b[1;5D', 'word-left'],
    ['\u001b[1;3C', 'word-right'],
    ['\u001b[1;2B', 'down'],
    ['\u001bOP', 'f1'],
    ['\u001b[11~', 'f1'],
    ['\u001b[[A', 'f1'],
    ['\r', 'enter'],
    ['\n', 'enter'],
    ['\r\n', 'enter'],
    ['\t', 'tab'],
    ['\u007f', 'backspace'],
    ['\b', 'backspace'],
    ['\u0001', 'ctrl-a'],
    ['\u0003', 'ctrl-c'],
    ['\u001a', 'ctrl-z'],
    ['\u001bb', 'alt-b'],
    ['\u001b\u007f', 'alt-backspace'],
    ['\u001b', 'escape'],
  ])('%j is %s', (sent, name) => {
    expect(parsed(sent)).toEqual([{ name, text: '' }]);
  });

  it.each(['\u001b[15~', '\u001b[[B', '\u001bOQ', '\u001b[I', '\u001b[27;5;9~', '\u0000', '\u001c'])(
    '%j, which nothing here knows, is nothing',
    (sent) => {
      expect(parsed(`${sent}x`)).toEqual([{ name: 'x', text: 'x' }]);
    },
  );
});

describe('I3 several keys in one chunk', () => {
  it('a burst is as many keys', () => {
    expect(names(parsed('\u001b[B\u001b[B\r'))).toEqual(['down', 'down', 'enter']);
  });

  it('text and enter are apart', () => {
    expect(names(parsed('abc\r'))).toEqual(['a', 'b', 'c', 'enter']);
  });

  it('esc before a control key, or twice, is no alt', () => {
    expect(names(parsed('\u001b\r'))).toEqual(['escape', 'enter']);
    expect(names(parsed('\u001b\u001b[A'))).toEqual(['escape', 'up']);
    expect(names(parsed('\u001b\u001b'))).toEqual(['escape', 'escape']);
  });

  it('a combining character stays with its letter, and an emoji of several is one', () => {
    expect(names(parsed('e\u0301x👩‍👩‍👧‍👦'))).toEqual(['e\u0301', 'x', '👩‍👩‍👧‍👦']);
  });
});

describe('a key in several chunks', () => {
  it('a character whose bytes come one by one', () => {
    const [first, second, third] = Buffer.from('生');
    expect(parsed(Buffer.from([first!]), Buffer.from([second!]), Buffer.from([third!]))).toEqual([
      { name: '生', text: '生' },
    ]);
  });

  it('waits after esc, and takes what follows into account', () => {
    const parser = createKeyParser();
    expect(parser.push('\u001b')).toEqual([]);
    expect(parser.waiting).toBe(true);
    expect(names(parser.push('['))).toEqual([]);
    expect(names(parser.push('A'))).toEqual(['up']);
    expect(parser.waiting).toBe(false);
  });

  it('an esc after which nothing comes was one, and what came of a sequence is text', () => {
    const parser = createKeyParser();
    parser.push('\u001b[');
    expect(names(parser.flush())).toEqual(['escape', '[']);
    expect(parser.waiting).toBe(false);
  });
});

describe('a paste', () => {
  it('is one key, whatever is in it', () => {
    expect(parsed('a\u001b[200~x\r\ny\u001b[A\u001b[201~b')).toEqual([
      { name: 'a', text: 'a' },
      { name: 'paste', text: 'x\r\ny\u001b[A' },
      { name: 'b', text: 'b' },
    ]);
  });

  it('ends at its mark, even when that is torn', () => {
    expect(parsed('\u001b[200~one', ' two\u001b[20', '1~\r')).toEqual([
      { name: 'paste', text: 'one two' },
      { name: 'enter', text: '' },
    ]);
  });

  it('whose end is lost is given up by ctrl-c', () => {
    const parser = createKeyParser();
    expect(parser.push('\u001b[200~lost')).toEqual([]);
    expect(parser.waiting).toBe(false);
    expect(names(parser.push('\u0003'))).toEqual(['ctrl-c']);
    expect(names(parser.push('x'))).toEqual(['x']);
  });
});

it('the same bytes are the same keys, wherever they are torn', () => {
  const pieces = [
    '\u001b[A',
    '\u001bOB',
    '\u001b[1;5D',
    '\u001b[5~',
    '\r',
    'a',
    '生',
    'ß',
    '\u001b[200~p\rq生\u001b[201~',
    '\u007f',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), fc.array(fc.nat(40)), (typed, cuts) => {
      const bytes = Buffer.from(typed.join(''));
      const places = [
        0,
        ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((one, other) => one - other),
        bytes.length,
      ];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(parsed(...chunks)).toEqual(parsed(bytes));
    }),
  );
});

/** What a terminal in raw mode sends, as key events. Pure: no clock, no stream. */
import { StringDecoder } from 'node:string_decoder';

export type SpecialKey =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'word-left'
  | 'word-right'
  | 'pageup'
  | 'pagedown'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'tab'
  | 'backtab'
  | 'backspace'
  | 'delete'
  | 'paste'
  | 'f1'
  | `ctrl-${string}`
  | `alt-${string}`;

/** One key press, or one paste. */
export interface Key {
  /** What was pressed. A typed character is its own name: `s`, `?`, `é`, a whole grapheme. */
  readonly name: SpecialKey | (string & {});
  /** What it writes: the character, the whole pasted text as it came, or nothing. */
  readonly text: string;
}

export interface KeyParser {
  /** @returns the keys that are complete now; what may be the beginning of one is kept for the next chunk */
  push(chunk: Buffer | string): readonly Key[];
  /** Nothing more came: an Esc that could have begun a sequence was an Esc. */
  flush(): readonly Key[];
  /** Whether `flush` would give anything. */
  readonly waiting: boolean;
}

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';
const interrupt = '\u0003';

/** xterm and the VT220 send these; rxvt and PuTTY 7 and 8 for Home and End, 11 for F1; the Linux console `[[A` for F1. */
const finals: Readonly<Record<string, SpecialKey>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Z: 'backtab',
};
const numbered: Readonly<Record<string, SpecialKey>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
};
/** A modifier is sent as one more than its bits: shift 1, alt 2, ctrl 4. */
const movesByWord = new Set(['3', '5', '7']);

const controls: Readonly<Record<string, SpecialKey>> = {
  '\r': 'enter',
  // Typed before raw mode was on.
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
};

const sequence = /^\u001b(?:\[\[(?<linux>[A-E])|\[(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])|O(?<ss3>[A-Za-z]))/;
const unfinishedSequence = /^\u001b(?:\[\[?|\[[0-?]*[ -/]*|O)?$/;
const altKey = /^\u001b(?<letter>[^\p{Cc}]|\u007f)/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function createKeyParser(): KeyParser {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let pasted: string | undefined;

  /** Takes what is at the start of `rest`. @returns undefined when more must come first */
  function take(final: boolean): readonly Key[] | undefined {
    if (pasted !== undefined) return takePaste(pasted);
    if (rest.startsWith('\u001b')) return takeEscape(final);
    const plain = /^[^\p{Cc}]+/u.exec(rest)?.[0];
    if (plain !== undefined) {
      rest = rest.slice(plain.length);
      return [...graphemes.segment(plain)].map(({ segment }) => ({ name: segment, text: segment }));
    }
    const control = rest.startsWith('\r\n') ? '\r\n' : rest.slice(0, 1);
    rest = rest.slice(control.length);
    return key(controls[control[0] ?? ''] ?? controlName(control));
  }

  function takePaste(before: string): readonly Key[] | undefined {
    const text = before + rest;
    const end = text.indexOf(pasteEnd);
    if (end < 0) {
      // The end may be split: it is looked for in all of it again.
      pasted = text;
      rest = '';
      return undefined;
    }
    pasted = undefined;
    rest = text.slice(end + pasteEnd.length);
    return [{ name: 'paste', text: text.slice(0, end) }];
  }

  function takeEscape(final: boolean): readonly Key[] | undefined {
    if (rest.startsWith(pasteStart)) {
      rest = rest.slice(pasteStart.length);
      pasted = '';
      return [];
    }
    if (unfinishedSequence.test(rest)) {
      if (!final) return undefined;
      rest = rest.slice(1);
      return key('escape');
    }
    const found = sequence.exec(rest) ?? altKey.exec(rest);
    rest = rest.slice(found?.[0].length ?? 1);
    if (!found) return key('escape');
    const { parameters = '', final: last = '', ss3 = '', letter, linux } = found.groups ?? {};
    if (linux !== undefined) return key(linux === 'A' ? 'f1' : undefined);
    if (letter !== undefined) return key(`alt-${letter === '\u007f' ? 'backspace' : letter}`);
    return key(sequenceName(parameters, last || ss3));
  }

  function takeAll(final: boolean): readonly Key[] {
    const keys: Key[] = [];
    while (rest !== '') {
      const taken = take(final);
      if (!taken) break;
      keys.push(...taken);
    }
    return keys;
  }

  return {
    push(chunk) {
      const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
      // A paste whose end got lost must not lock the user out.
      if (text === interrupt) pasted = undefined;
      rest += text;
      return takeAll(false);
    },
    flush: () => takeAll(true),
    get waiting() {
      return pasted === undefined && rest !== '';
    },
  };
}

const key = (name: SpecialKey | undefined): readonly Key[] => (name === undefined ? [] : [{ name, text: '' }]);

function sequenceName(parameters: string, final: string): SpecialKey | undefined {
  const [number = '', modifier = ''] = parameters.split(';');
  const name = final === '~' ? numbered[number] : finals[final];
  if ((name === 'left' || name === 'right') && movesByWord.has(modifier)) return `word-${name}`;
  return name;
}

/** Ctrl with a letter is that letter's place in the alphabet. */
const controlName = (control: string): SpecialKey | undefined =>
  /^[\u0001-\u001a]$/.test(control) ? `ctrl-${String.fromCharCode(control.charCodeAt(0) + 96)}` : undefined;

/** What keys do in a line of text. Pure. */
import type { Key } from '../keys.ts';
import { graphemesOf } from './width.ts';

/** The text on both sides of the cursor. */
export interface TextState {
  readonly before: string;
  readonly after: string;
}

/** A paste of several lines becomes one: a shell's continued line, as kubeadm prints it, loses its backslash too. */
const oneLine = (text: string) =>
  text
    .replace(/\\?\r\n?|\\?\n/g, ' ')
    .replace(/\p{Cc}/gu, ' ')
    .trimEnd();

const last = (text: string) => graphemesOf(text).at(-1) ?? '';
const first = (text: string) => graphemesOf(text)[0] ?? '';
/** Up to the blank in front of the last word. */
const withoutLastWord = (text: string) => text.replace(/\S*\s*$/, '');
const withoutFirstWord = (text: string) => text.replace(/^\s*\S*/, '');

const backBy = ({ before, after }: TextState, moved: string): TextState => ({
  before: before.slice(0, before.length - moved.length),
  after: moved + after,
});
const onBy = ({ before, after }: TextState, moved: string): TextState => ({
  before: before + moved,
  after: after.slice(moved.length),
});
const wordLeft = (state: TextState) => backBy(state, state.before.slice(withoutLastWord(state.before).length));
const wordRight = (state: TextState) =>
  onBy(state, state.after.slice(0, state.after.length - withoutFirstWord(state.after).length));
const lineStart = ({ before, after }: TextState) => ({ before: '', after: before + after });
const lineEnd = ({ before, after }: TextState) => ({ before: before + after, after: '' });
const left = (state: TextState) => backBy(state, last(state.before));
const right = (state: TextState) => onBy(state, first(state.after));
const deleteWord = ({ before, after }: TextState) => ({ before: withoutLastWord(before), after });
const deleteNext = ({ before, after }: TextState) => ({ before, after: after.slice(first(after).length) });

/** Keys of readline. */
const edits: Readonly<Record<string, (state: TextState) => TextState>> = {
  left,
  'ctrl-b': left,
  right,
  'ctrl-f': right,
  home: lineStart,
  'ctrl-a': lineStart,
  end: lineEnd,
  'ctrl-e': lineEnd,
  'word-left': wordLeft,
  'alt-b': wordLeft,
  'word-right': wordRight,
  'alt-f': wordRight,
  backspace: ({ before, after }) => ({ before: before.slice(0, before.length - last(before).length), after }),
  delete: deleteNext,
  'ctrl-d': deleteNext,
  'ctrl-u': ({ after }) => ({ before: '', after }),
  'ctrl-k': ({ before }) => ({ before, after: '' }),
  'ctrl-w': deleteWord,
  'alt-backspace': deleteWord,
};

export function reduceText(state: TextState, { name, text }: Key): TextState {
  const edit = edits[name];
  if (edit) return edit(state);
  if (name === '?' && state.before + state.after === '') return state;
  return text === '' ? state : { ...state, before: state.before + oneLine(text) };
}

/** What keys do in a list that is filtered as one types. Pure. */
import type { Key } from '../keys.ts';
import { graphemesOf } from './width.ts';

export interface SelectState {
  readonly query: string;
  /** Of the highlighted choice, among those that match. */
  readonly at: number;
  /** Of the first one shown. */
  readonly top: number;
}

export interface SelectShape {
  /** Texts to search in, one a choice (searchText). */
  readonly texts: readonly string[];
  readonly filter: boolean;
  /** Choices shown at once. */
  readonly size: number;
}

/** Upper and lower case, full and half width are the same to whoever searches. */
export const searchText = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Indexes of the choices in which each word of the query occurs. */
export function matches(texts: readonly string[], query: string): readonly number[] {
  const words = searchText(query).split(' ').filter(Boolean);
  return [...texts.keys()].filter((index) => words.every((word) => texts[index]?.includes(word)));
}

/** Moves the highlight and what is shown to where there are choices. */
export function within({ query, at, top }: SelectState, count: number, size: number): SelectState {
  const inside = Math.max(0, Math.min(at, count - 1));
  const lowest = Math.max(0, count - size);
  return { query, at: inside, top: Math.max(0, Math.min(Math.max(top, inside - size + 1), inside, lowest)) };
}

const steps: Readonly<Record<string, (at: number, size: number) => number>> = {
  up: (at) => at - 1,
  down: (at) => at + 1,
  pageup: (at, size) => at - size,
  pagedown: (at, size) => at + size,
  home: () => 0,
  end: () => Number.MAX_SAFE_INTEGER,
};

export function reduceSelect(state: SelectState, key: Key, { texts, filter, size }: SelectShape): SelectState {
  const found = matches(texts, state.query);
  const here = within(state, found.length, size);
  const step = steps[key.name];
  if (step) return within({ ...here, at: step(here.at, size) }, found.length, size);
  const query = filter ? edited(state.query, key) : state.query;
  if (query === state.query) return here;
  const now = matches(texts, query);
  // What was highlighted stays so while it matches.
  const kept = now.indexOf(found[here.at] ?? -1);
  return within({ query, at: kept, top: 0 }, now.length, size);
}

function edited(query: string, { name, text }: Key): string {
  if (name === 'escape' || name === 'ctrl-u') return '';
  if (name === 'backspace') return graphemesOf(query).slice(0, -1).join('');
  if (name === '?' && query === '') return query;
  return (query + text.replace(/\p{Cc}+/gu, ' ')).trimStart();
}

/** A unit file, read as systemd reads it (systemd.syntax(7), systemd.service(5), src/basic/extract-word.c). */

/** One assignment; what is continued over several lines is one. */
export interface Assignment {
  /** `Service`; empty before the first section. */
  readonly section: string;
  readonly name: string;
  /** Lines joined by a space, comments between them left out. */
  readonly value: string;
  /** Counted from 1, and the first one after it. */
  readonly from: number;
  readonly to: number;
}

const isComment = (line: string) => /^[ \t]*[#;]/.test(line);
/** A backslash at the end that no other one escapes. */
export const goesOn = (text: string) => /(?<!\\)(?:\\\\)*\\$/.test(text);

export function assignmentsOf(text: string): readonly Assignment[] {
  const lines = text.split('\n');
  const found: Assignment[] = [];
  let section = '';
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (line.trim() === '' || isComment(line)) continue;
    const heading = /^\s*\[([^\]]*)\]\s*$/.exec(line);
    if (heading) {
      section = heading[1]!;
      continue;
    }
    const from = at + 1;
    let whole = line;
    // It goes on in the next line that is no comment; at the end of the file, with nothing.
    while (goesOn(whole)) {
      at += 1;
      const next = lines[at] ?? '';
      if (!isComment(next)) whole = `${whole.slice(0, -1)} ${next}`;
    }
    const equals = whole.indexOf('=');
    if (equals < 0) continue;
    found.push({
      section,
      name: whole.slice(0, equals).trim(),
      value: whole.slice(equals + 1).trim(),
      from,
      to: at + 2,
    });
  }
  return found;
}

export interface Word {
  /** As it stands, quotes and escapes in it. */
  readonly raw: string;
  /** What the program gets, but for variables and specifiers. */
  readonly text: string;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  s: ' ',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** @returns undefined when a quote is not closed, or nothing stands behind a backslash */
export function wordsOf(value: string): readonly Word[] | undefined {
  const words: Word[] = [];
  const one = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?:\\.|[^ \t"'\\])+/gsy;
  let at = 0;
  while (at < value.length) {
    if (/[ \t]/.test(value[at]!)) {
      at += 1;
      continue;
    }
    const begin = at;
    let text = '';
    while (at < value.length && !/[ \t]/.test(value[at]!)) {
      one.lastIndex = at;
      const part = one.exec(value)?.[0];
      if (part === undefined) return undefined;
      text += unescaped(/^["']/.test(part) ? part.slice(1, -1) : part);
      at += part.length;
    }
    words.push({ raw: value.slice(begin, at), text });
  }
  return words;
}

/** `\x41`, `\101`, `\u00e9`, `\s`; a backslash before anything that systemd does not know stays. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4}|[0-7]{3}|.)/gs,
    (whole, code: string) => {
      if (code.length === 1) return escapes[code] ?? whole;
      const number = /^\d/.test(code) ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16);
      return String.fromCodePoint(number);
    },
  );

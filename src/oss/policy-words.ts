/** The small patterns that policies are written in. Pure. */

/** `*` stands for any text, `?` for one character. Takes time in proportion to pattern × text, whatever the pattern. */
export function globMatches(pattern: string, text: string, { ignoreCase = false } = {}): boolean {
  const glob = ignoreCase ? pattern.toLowerCase() : pattern;
  const word = ignoreCase ? text.toLowerCase() : text;
  let at = 0;
  let retryGlob = -1;
  let retryWord = 0;
  for (let index = 0; index < word.length; ) {
    if (glob[at] === '*') {
      retryGlob = at++;
      retryWord = index;
    } else if (at < glob.length && (glob[at] === '?' || glob[at] === word[index])) {
      at++;
      index++;
    } else if (retryGlob >= 0) {
      // The last star takes one character more.
      at = retryGlob + 1;
      index = ++retryWord;
    } else {
      return false;
    }
  }
  return /^\**$/.test(glob.slice(at));
}

/** A range that every address is in. */
export const covers = (cidr: string): boolean => cidr === '0.0.0.0/0' || cidr === '*';

/**
 * Text of a stranger (a cluster, a bucket, a proxy) made fit for a terminal: escapes, other control characters and
 * direction overrides are shown as `\u001b`, so that they cannot move the cursor, hide text or start a new line.
 */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  );
}

/** `abcdef.****************`: all that is ever shown of a bootstrap token. */
export const masked = (tokenId: string): string => `${tokenId}.${'*'.repeat(16)}`;

/** Text that may hold secrets without them: bootstrap tokens, passwords in a URL, and what signs a URL. */
export const withoutSecrets = (text: string): string =>
  text
    .replace(/\b([a-z0-9]{6})\.[a-z0-9]{16}\b/g, (_, id: string) => masked(id))
    .replace(/(\/\/)[^/@\s]+@/g, '$1****@')
    .replace(/([?&][\w-]*(?:signature|credential|accesskeyid|token)[\w-]*=)[^&\s]*/gi, '$1****');

/** A URL without user, password and query, any of which may be a credential. */
export function bareUrl(url: string): string {
  if (!URL.canParse(url)) return '(a URL)';
  const { origin, pathname } = new URL(url);
  return pathname === '/' ? origin : `${origin}${pathname}`;
}

/** The file that somebody else serves (--script-url), read as a node would read it: without credentials. */
import { Failure } from '../errors.ts';
import { ExchangeError, exchange } from './http.ts';

export interface FetchOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One GET. A redirect is not followed: the agent hands the URL to a plain curl.
 * @param url One that passes checkScriptUrl. Its query may sign it, so messages have the host and path only.
 * @throws Failure ScriptUrlUnreadable
 */
export async function fetchUrl(url: string, options: FetchOptions): Promise<Buffer> {
  const { origin, pathname, host } = new URL(url);
  const unreadable = (cause: string, next?: string) =>
    new Failure('ScriptUrlUnreadable', `${origin}${pathname} could not be read`, {
      causes: [cause],
      ...(next ? { next: [next] } : {}),
    });
  const answer = await exchange({ url, method: 'GET', ...options }).catch((error: unknown) => {
    throw error instanceof ExchangeError ? unreadable(error.message) : error;
  });
  if (answer.status === 200) return answer.body;
  if (answer.status >= 300 && answer.status < 400) {
    throw unreadable(
      `${host} answers with a redirect (${answer.status}), which a node does not follow`,
      'Give the URL that it leads to.',
    );
  }
  throw unreadable(`${host} answers with status ${answer.status}`);
}

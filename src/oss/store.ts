/** The bucket by ali-oss with V4 signatures: each request retried while its trouble is passing, a wrong clock corrected once (G1). */
import type OSS from 'ali-oss';
import pRetry from 'p-retry';
import { Failure } from '../errors.ts';
import { objectUrl } from './address.ts';
import { openClient, type RequestOptions, type Seen } from './ali-client.ts';
import type { Credentials } from './credentials.ts';
import { failureOf } from './errors.ts';
import { ExchangeError } from './http.ts';
import type { SignedUntil } from './signed-url.ts';
import { isPassing, OssTrouble, readTrouble, skewOf } from './trouble.ts';
import { openTypedSdk, type TypedSdk } from './typed-sdk.ts';
import type { Acl, Target } from './types.ts';

/** `expires` includes the end of temporary credentials where that is known. */
export interface SignedUrl extends SignedUntil {
  readonly url: string;
}

/** What a request is about, for the failure's sentence and for what is no failure. */
interface About {
  readonly key?: string;
  /** OSS's code for "there is none", which gives undefined instead of a failure. */
  readonly absent?: string;
}

export interface Store {
  readonly target: Target;
  /** @returns undefined when there is no such object */
  get(key: string): Promise<Buffer | undefined>;
  /** ACL of the object itself; `default`: the bucket's. */
  acl(key: string): Promise<Acl | 'default' | undefined>;
  /** A GET that works without credentials, on the host that nodes read from (G5). */
  signedUrl(key: string, seconds: number): Promise<SignedUrl>;
  /**
   * One request by ali-oss, with retries.
   * @param action As RAM names it: `GetBucketPolicy`
   * @returns undefined when OSS answers with the code `about.absent`
   * @throws Failure (errors.ts)
   */
  call<T>(action: string, work: (client: OSS) => Promise<T>, about?: About): Promise<T | undefined>;
  /** For what ali-oss lacks. */
  readonly typedSdk: TypedSdk;
}

const retries = 2;
const firstPauseMs = 300;
/** A week: what V4 allows (facts/oss.md). */
export const longestSignatureSeconds = 604_800;

/** Opens no connection. */
export function openStore(target: Target, credentials: Credentials, options: RequestOptions): Store {
  let skewMs = 0;

  const attempt = async <T>(work: (client: OSS) => Promise<T>): Promise<T> => {
    const seen: Seen = {};
    const client = await openClient(target, credentials, options, seen, skewMs);
    const outcome = await work(client).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (seen.thrown !== undefined) throw asTrouble(seen.thrown);
    if (!seen.answer) throw new Failure('Bug', 'ali-oss refused a call before it sent anything', { cause: outcome });
    // Its getBucketPolicy takes every answer for a good one, so the status counts as well.
    if ('value' in outcome && seen.answer.status < 300) return outcome.value;
    throw new OssTrouble(await readTrouble(seen.answer, (xml) => client.parseXML(xml)));
  };

  /** The second refusal leaves the first one's offset standing: that one is against the real clock. */
  const corrected = async <T>(work: (client: OSS) => Promise<T>): Promise<T> => {
    try {
      return await attempt(work);
    } catch (first) {
      const skew = skewIn(first);
      if (skew === undefined || skewMs !== 0) throw first;
      skewMs = skew;
      return attempt(work).catch((second: unknown) => {
        throw skewIn(second) === undefined ? second : first;
      });
    }
  };

  const call: Store['call'] = async (action, work, { key, absent } = {}) => {
    try {
      return await pRetry(() => corrected(work), {
        retries,
        minTimeout: firstPauseMs,
        signal: options.signal,
        shouldRetry: ({ error }) => error instanceof OssTrouble && isPassing(error.trouble),
      });
    } catch (error) {
      if (!(error instanceof OssTrouble)) throw error;
      if (error.trouble.kind === 'refused' && error.trouble.error.code === absent) return undefined;
      throw failureOf(error.trouble, { action, target, key });
    }
  };

  return {
    target,
    call,
    typedSdk: openTypedSdk(target, credentials, options),

    async get(key) {
      const object = await call('GetObject', (client) => client.get(key), { key, absent: 'NoSuchKey' });
      return Buffer.isBuffer(object?.content) ? object.content : undefined;
    },

    async acl(key) {
      const found = await call('GetObjectAcl', (client) => client.getACL(key), { key, absent: 'NoSuchKey' });
      return found && (found.acl as Acl | 'default');
    },

    async signedUrl(key, seconds) {
      if (seconds > longestSignatureSeconds) {
        throw new Failure('AnswerInvalid', `a signed URL lasts ${longestSignatureSeconds} s at most`);
      }
      // OSS was 15 minutes or more away from this clock, and would not take what is signed by it.
      if (skewMs !== 0) throw new Failure('ClockSkew', 'a URL signed by the clock of this machine would not be valid');
      const ends = [Date.now() + seconds * 1000, Date.parse(credentials.expiration ?? '')].filter(Number.isFinite);
      const client = await openClient(target, credentials, options, {}, 0);
      const signed = new URL(await client.signatureUrlV4('GET', seconds, undefined, key));
      return {
        // V4 signs bucket, key and query, but no host.
        url: `${objectUrl(target, key)}${signed.search}`,
        expires: new Date(Math.min(...ends)).toISOString(),
        temporary: credentials.securityToken !== undefined,
      };
    },
  };
}

const asTrouble = (thrown: unknown): unknown =>
  thrown instanceof ExchangeError
    ? new OssTrouble({ kind: 'none', reason: thrown.reason, what: thrown.message })
    : thrown;

const skewIn = (error: unknown): number | undefined =>
  error instanceof OssTrouble ? skewOf(error.trouble) : undefined;

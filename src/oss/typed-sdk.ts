/**
 * What ali-oss lacks, by @alicloud/oss20190517. That SDK signs V1 only, which OSS has closed for new accounts and buckets
 * (facts/oss.md), and knows no proxy: so nothing here fails, and what cannot be had is an unknown with its reason.
 */
import type * as Sdk from '@alicloud/oss20190517';
import * as z from 'zod';
import { proxyFor } from '../proxy.ts';
import { traced } from '../tracing.ts';
import type { Credentials } from './credentials.ts';
import type { Known, Target } from './types.ts';

export interface TypedSdk {
  /** Location as OSS writes it: `oss-cn-hangzhou`. */
  bucketLocation(): Promise<Known<string>>;
  /** The bucket's own switch, or the account's, which is above it. */
  publicAccessBlock(of: 'bucket' | 'account'): Promise<Known<boolean>>;
}

type ClientClass = typeof Sdk.default.default;
type Client = InstanceType<ClientClass>;
type Config = ConstructorParameters<ClientClass>[0];
type Params = Parameters<Client['execute']>[0];
type Request = Parameters<Client['execute']>[1];
type Runtime = Parameters<Client['execute']>[2];

/** Loads the SDK at the first question. */
export function openTypedSdk(
  target: Target,
  credentials: Credentials,
  { timeoutMs }: { readonly timeoutMs: number },
): TypedSdk {
  const runtime = { connectTimeout: timeoutMs, readTimeout: timeoutMs, autoretry: false } as Runtime;

  const ask = async <T>(
    name: string,
    question: (client: Client) => Promise<unknown>,
    shape: z.ZodType<T>,
  ): Promise<Known<T>> => {
    if (proxyFor(new URL(target.endpoint), process.env) !== undefined)
      return unknown('the SDK for this question knows no proxy');
    try {
      const client = await openClient(target, credentials);
      const told = await traced(
        new URL(target.endpoint).host,
        name,
        () => within(timeoutMs, question(client)),
        () => 200,
      );
      const answer = shape.safeParse(told);
      return answer.success ? { known: true, value: answer.data } : unknown('OSS gave an answer of another form');
    } catch (error) {
      return unknown(whyNot(error));
    }
  };

  return {
    bucketLocation: () =>
      ask('GetBucketLocation', (client) => client.getBucketLocationWithOptions(target.bucket, {}, runtime), location),

    async publicAccessBlock(of) {
      const answer = await ask(
        `GetPublicAccessBlock of the ${of}`,
        (client) =>
          client.execute(
            publicAccessBlock,
            { headers: {}, hostMap: of === 'bucket' ? { bucket: target.bucket } : {} } as Request,
            runtime,
          ),
        blocked,
      );
      // Never set, neither on nor off.
      return !answer.known && answer.why.includes('NoSuchPublicAccessBlockConfiguration')
        ? { known: true, value: false }
        : answer;
    },
  };
}

const location = z
  .object({ body: z.object({ locationConstraint: z.string() }) })
  .transform((answer) => answer.body.locationConstraint);
const blocked = z
  .object({ body: z.object({ BlockPublicAccess: z.enum(['true', 'false']) }) })
  .transform((answer) => answer.body.BlockPublicAccess === 'true');

/** GetBucketPublicAccessBlock and GetPublicAccessBlock, which 1.0.6 has no methods for. */
const publicAccessBlock = {
  action: 'GetPublicAccessBlock',
  version: '2019-05-17',
  protocol: 'HTTPS',
  pathname: '/?publicAccessBlock',
  method: 'GET',
  authType: 'AK',
  style: 'ROA',
  reqBodyType: 'xml',
  bodyType: 'xml',
} as Params;

async function openClient(target: Target, credentials: Credentials): Promise<Client> {
  const endpoint = new URL(target.endpoint);
  return new (await loadClass())({
    accessKeyId: credentials.accessKeyId,
    accessKeySecret: credentials.accessKeySecret,
    ...(credentials.securityToken === undefined ? {} : { securityToken: credentials.securityToken }),
    regionId: target.region,
    endpoint: endpoint.host,
    protocol: endpoint.protocol.replace(':', ''),
    ...(target.addressing === 'virtual' ? {} : { endpointType: target.addressing === 'path' ? 'ip' : 'cname' }),
  } as Config);
}

/** Node gives the class as `default.default`, a bundler or a test runner as `default`. */
async function loadClass(): Promise<ClientClass> {
  const { default: loaded } = await import('@alicloud/oss20190517');
  return 'default' in loaded ? loaded.default : loaded;
}

const unknown = (why: string): { readonly known: false; readonly why: string } => ({ known: false, why });

const teaError = z.object({
  code: z.string().regex(/^[A-Za-z][\w.-]{0,99}$/),
  data: z.object({ statusCode: z.number() }),
});

/** The SDK's messages repeat URL and answer, so only codes are told. */
function whyNot(error: unknown): string {
  const refusal = teaError.safeParse(error);
  if (!refusal.success)
    return error instanceof TimeLimit ? 'OSS did not answer in time' : 'OSS gave no answer that the SDK understands';
  const { code, data } = refusal.data;
  const closed = data.statusCode === 403 || code === 'InvalidArgument';
  return `OSS refused with ${data.statusCode} ${code}${closed ? ' (the right is missing, or signature V1 is closed for this account)' : ''}`;
}

class TimeLimit extends Error {}

async function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimit()), timeoutMs);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
}

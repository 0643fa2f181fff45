/** Who we are to Alibaba Cloud: the default chain of @alicloud/credentials, bounded in time and silent about secrets. */
import type { CredentialsProvider } from '@alicloud/credentials';
import * as z from 'zod';
import { Failure } from '../errors.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  /** Temporary credentials only. */
  readonly securityToken: string | undefined;
  /** RFC 3339; undefined for lasting credentials, and where the source does not say. A signed URL dies with them. */
  readonly expiration: string | undefined;
  /** Where they came from, in words. */
  readonly source: string;
}

/** A chain that asks the instance metadata and a helper program may take this long, and no longer. */
const chainTimeoutMs = 15_000;
/** 100.100.100.200 answers in milliseconds on ECS, and nowhere else at all. */
const metadataTimeoutMs = 1_000;

/**
 * Order of the chain (facts/oss.md): environment, OIDC, ~/.aliyun/config.json, ~/.alibabacloud/credentials, ECS role,
 * ALIBABA_CLOUD_CREDENTIALS_URI. `env` decides for the first; the others read the process's own environment and home.
 * @throws Failure CredentialsMissing with each place and why it gave none, never with what stood there
 */
export async function loadCredentials(env: NodeJS.ProcessEnv): Promise<Credentials> {
  const fromEnv = environmentCredentials(env);
  if (fromEnv) return fromEnv;
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(missing([`looking for them took longer than ${chainTimeoutMs / 1000} s`])),
      chainTimeoutMs,
    );
  });
  try {
    return await Promise.race([askChain(env), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

function environmentCredentials(env: NodeJS.ProcessEnv): Credentials | undefined {
  const accessKeyId = env.ALIBABA_CLOUD_ACCESS_KEY_ID?.trim();
  const accessKeySecret = env.ALIBABA_CLOUD_ACCESS_KEY_SECRET?.trim();
  if (!accessKeyId || !accessKeySecret) return undefined;
  const securityToken = env.ALIBABA_CLOUD_SECURITY_TOKEN?.trim() || undefined;
  return { accessKeyId, accessKeySecret, securityToken, expiration: undefined, source: 'environment variables' };
}

interface Place {
  readonly name: string;
  readonly open: () => CredentialsProvider;
  /** From the exception's message, which may hold secrets, to a sentence that holds none. */
  readonly why: (message: string) => string;
}

/**
 * The providers are asked one by one instead of through DefaultCredentialsProvider, which joins their messages, the text of
 * a broken config.json included, and drops when the credentials expire.
 */
async function askChain(env: NodeJS.ProcessEnv): Promise<Credentials> {
  const reasons = [halfSet(env)];
  for (const { name, open, why } of await places()) {
    try {
      const provider = open();
      const { accessKeyId, accessKeySecret, securityToken } = await provider.getCredentials();
      if (accessKeyId && accessKeySecret) {
        return {
          accessKeyId,
          accessKeySecret,
          securityToken: securityToken || undefined,
          expiration: expirationOf(provider),
          source: name,
        };
      }
      reasons.push(`${name}: incomplete`);
    } catch (error) {
      reasons.push(`${name}: ${why(error instanceof Error ? error.message : '')}`);
    }
  }
  throw missing(reasons);
}

async function places(): Promise<readonly Place[]> {
  const sdk = await import('@alicloud/credentials');
  return [
    {
      name: 'OIDC variables',
      open: () => sdk.OIDCRoleArnCredentialsProvider.builder().build(),
      why: () => (process.env.ALIBABA_CLOUD_OIDC_TOKEN_FILE ? 'the role could not be assumed' : 'not set'),
    },
    {
      name: '~/.aliyun/config.json',
      open: () => sdk.CLIProfileCredentialsProvider.builder().build(),
      why: whyNoProfile,
    },
    {
      name: '~/.alibabacloud/credentials',
      open: () => sdk.ProfileCredentialsProvider.builder().build(),
      why: whyNoProfile,
    },
    {
      name: 'ECS instance role',
      open: () =>
        sdk.ECSRAMRoleCredentialsProvider.builder()
          .withRoleName(process.env.ALIBABA_CLOUD_ECS_METADATA ?? '')
          .withConnectTimeout(metadataTimeoutMs)
          .withReadTimeout(metadataTimeoutMs)
          .build(),
      why: (message) =>
        /disabled/.test(message)
          ? 'switched off by ALIBABA_CLOUD_ECS_METADATA_DISABLED'
          : 'this is no ECS instance with a role',
    },
    {
      name: 'ALIBABA_CLOUD_CREDENTIALS_URI',
      open: () => {
        if (!process.env.ALIBABA_CLOUD_CREDENTIALS_URI) throw new Error();
        return sdk.URICredentialsProvider.builder().build();
      },
      why: () => (process.env.ALIBABA_CLOUD_CREDENTIALS_URI ? 'it gave no credentials' : 'not set'),
    },
  ];
}

function halfSet(env: NodeJS.ProcessEnv): string {
  const [id, secret] = [env.ALIBABA_CLOUD_ACCESS_KEY_ID, env.ALIBABA_CLOUD_ACCESS_KEY_SECRET];
  if (!id && !secret) return 'environment variables: not set';
  return `environment variables: ${id ? 'ALIBABA_CLOUD_ACCESS_KEY_SECRET' : 'ALIBABA_CLOUD_ACCESS_KEY_ID'} is not set`;
}

function whyNoProfile(message: string): string {
  if (/^reading |ENOENT/.test(message)) return 'not there, or not readable';
  if (/^parse /.test(message)) return 'not JSON';
  if (/disabled/.test(message)) return 'switched off';
  return 'no profile in it that can be used';
}

const missing = (reasons: readonly string[]): Failure =>
  new Failure(
    'CredentialsMissing',
    'there are no Alibaba Cloud credentials in any of the places where they are looked for',
    { causes: reasons },
  );

const session = z.object({ session: z.object({ expiration: z.iso.datetime({ offset: true }) }) });
const nested = z.object({ innerProvider: z.unknown() });

/** Private to the SDK, and the only place that says how long temporary credentials live. */
function expirationOf(provider: unknown): string | undefined {
  const found = session.safeParse(provider);
  if (found.success) return found.data.session.expiration;
  const inner = nested.safeParse(provider);
  return inner.success && inner.data.innerProvider ? expirationOf(inner.data.innerProvider) : undefined;
}

/** What is known of a bucket before anything is written into it. Read only. */
import * as z from 'zod';
import { Failure } from '../errors.ts';
import { endpointHost, target } from './address.ts';
import type { RequestOptions } from './ali-client.ts';
import type { Credentials } from './credentials.ts';
import { isAddress } from './hosts.ts';
import { parsePolicy } from './policy.ts';
import { region, regionOfEndpoint } from './regions.ts';
import { openStore, type Store } from './store.ts';
import type { BucketFacts, Known, PolicyDocument } from './types.ts';

/**
 * GetBucketInfo, which answers at every endpoint (help.aliyun.com, OSS GetBucketInfo); BlockPublicAccess as in
 * alibabacloud-oss-go-sdk-v2, BucketInfo.
 */
const infoShape = z.object({
  bucket: z.object({
    Location: z.string(),
    StorageClass: z.string().regex(/^\w+$/),
    Owner: z.object({ ID: z.string().regex(/^\d+$/) }),
    AccessControlList: z.object({ Grant: z.enum(['private', 'public-read', 'public-read-write']) }),
    Versioning: z.string().optional(),
    BlockPublicAccess: z.enum(['true', 'false']).optional(),
  }),
});
type Info = z.output<typeof infoShape>['bucket'];

/**
 * A fact that the credentials may not read is unknown; everything else that goes wrong ends the run.
 * @throws Failure BucketMissing, WrongEndpoint when the bucket is in another region, and the others of OSS
 */
export async function readBucketFacts(store: Store): Promise<BucketFacts> {
  const info = await readInfo(store);
  const fact = <T>(of: (bucket: Info) => T): Known<T> => (info.known ? { known: true, value: of(info.value) } : info);
  const where = info.known ? regionOf(info.value.Location) : info;
  const { bucket } = store.target;
  if (where.known && where.value !== store.target.region) {
    throw new Failure('WrongEndpoint', `bucket ${bucket} is in ${where.value}, not in ${store.target.region}`, {
      next: [`Give --region ${where.value}.`],
    });
  }
  return {
    region: where,
    acl: fact((found) => found.AccessControlList.Grant),
    blockPublicAccess: await readBlock(store, info),
    policy: await readPolicy(store),
    ownerId: fact((found) => found.Owner.ID),
    storageClass: fact((found) => found.StorageClass),
    versioning: fact((found) => found.Versioning === 'Enabled'),
  };
}

async function readInfo(store: Store): Promise<Known<Info>> {
  return unlessForbidden('oss:GetBucketInfo', async () => {
    const answer = infoShape.safeParse(
      await store.call('GetBucketInfo', async (client): Promise<unknown> => client.getBucketInfo(store.target.bucket)),
    );
    return answer.success ? known(answer.data.bucket) : unknown('GetBucketInfo gave an answer of another form');
  });
}

/** The policy alone, for reading it back. */
export async function readPolicy(store: Store): Promise<BucketFacts['policy']> {
  return unlessForbidden('oss:GetBucketPolicy', async () => {
    const answer = await store.call('GetBucketPolicy', (client) => client.getBucketPolicy(store.target.bucket), {
      absent: 'NoSuchBucketPolicy',
    });
    if (!answer) return known<PolicyDocument | undefined>(undefined);
    const policy = parsePolicy(answer.policy);
    return policy
      ? known<PolicyDocument | undefined>(policy)
      : unknown("the bucket's policy is of a form that is not known here");
  });
}

async function unlessForbidden<T>(right: string, read: () => Promise<Known<T>>): Promise<Known<T>> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure && error.code === 'OssForbidden')
      return unknown(`the credentials lack the right ${right}`);
    throw error;
  }
}

/** The account's switch is above the bucket's: one that is on blocks, and both must be off (help.aliyun.com, Block Public Access). */
async function readBlock(store: Store, info: Known<Info>): Promise<Known<boolean>> {
  const own = info.known ? info.value.BlockPublicAccess : undefined;
  const ofBucket = own === undefined ? await store.typedSdk.publicAccessBlock('bucket') : known(own === 'true');
  if (ofBucket.known && ofBucket.value) return ofBucket;
  const ofAccount = await store.typedSdk.publicAccessBlock('account');
  if (ofAccount.known && ofAccount.value) return ofAccount;
  if (!ofBucket.known) return unknown(`Block Public Access of the bucket: ${ofBucket.why}`);
  return ofAccount.known ? known(false) : unknown(`Block Public Access of the account: ${ofAccount.why}`);
}

/** Where to ask while the region is not known: an endpoint that is there for every account. */
const anyRegion = 'cn-hangzhou';

/**
 * Asks the typed SDK for the bucket's location, and ali-oss for the list of buckets where that is refused.
 * @param ossEndpoint --oss-endpoint: one of OSS's own names its region, an address is asked itself, and a domain of the
 *   user's knows one bucket only, so that OSS's public endpoint is asked instead
 * @throws Failure for an endpoint that is none, and of OSS when nothing can be asked at all
 */
export async function findRegion(
  bucket: string,
  credentials: Credentials,
  options: RequestOptions,
  ossEndpoint?: string,
): Promise<Known<string>> {
  const host = ossEndpoint === undefined ? undefined : endpointHost('--oss-endpoint', ossEndpoint);
  const named = host === undefined ? undefined : regionOfEndpoint(host);
  if (named !== undefined) return known(named);
  const asked = host !== undefined && isAddress(host) ? ossEndpoint : undefined;
  const where = target({ bucket, region: anyRegion, ossEndpoint: asked, ossCname: false });
  const store = openStore(where, credentials, { ...options, mayWrite: false });
  const location = await store.typedSdk.bucketLocation();
  if (location.known) return regionOf(location.value);
  const listed = await unlessForbidden('oss:ListBuckets', () => findInList(store));
  return listed.known ? listed : unknown(`GetBucketLocation: ${location.why}; ListBuckets: ${listed.why}`);
}

const listShape = z.object({
  buckets: z.array(z.object({ name: z.string(), region: z.string() })).nullable(),
  isTruncated: z.boolean().optional(),
  nextMarker: z.string().nullish(),
});

export interface BucketName {
  readonly name: string;
  /** As OSS writes it, when it is no region that is known here. */
  readonly region: string;
}

/**
 * The account's buckets, in OSS's order.
 * @throws Failure of OSS when nothing can be asked at all
 */
export async function listBuckets(
  credentials: Credentials,
  options: RequestOptions,
  ossEndpoint?: string,
): Promise<Known<readonly BucketName[]>> {
  const host = ossEndpoint === undefined ? undefined : endpointHost('--oss-endpoint', ossEndpoint);
  const asked = host !== undefined && isAddress(host) ? ossEndpoint : undefined;
  const where = target({ bucket: 'any-bucket', region: anyRegion, ossEndpoint: asked, ossCname: false });
  const store = openStore(where, credentials, { ...options, mayWrite: false });
  return unlessForbidden('oss:ListBuckets', async () => {
    const found: BucketName[] = [];
    let marker: string | undefined;
    do {
      const query = { 'max-keys': 1000, ...(marker !== undefined && { marker }) };
      const answer = listShape.safeParse(
        await store.call('ListBuckets', async (client): Promise<unknown> => client.listBuckets(query)),
      );
      if (!answer.success) return unknown('ListBuckets gave an answer of another form');
      for (const { name, region: where } of answer.data.buckets ?? []) {
        const place = regionOf(where);
        found.push({ name, region: place.known ? place.value : where });
      }
      marker = answer.data.isTruncated ? (answer.data.nextMarker ?? undefined) : undefined;
    } while (marker !== undefined);
    return known(found as readonly BucketName[]);
  });
}

async function findInList(store: Store): Promise<Known<string>> {
  const { bucket } = store.target;
  const answer = listShape.safeParse(
    await store.call(
      'ListBuckets',
      async (client): Promise<unknown> => client.listBuckets({ prefix: bucket, 'max-keys': 1000 }),
    ),
  );
  const found = answer.success ? answer.data.buckets?.find(({ name }) => name === bucket) : undefined;
  return found ? regionOf(found.region) : unknown(`no bucket ${bucket} among those of this account`);
}

function regionOf(location: string): Known<string> {
  try {
    return known(region(location));
  } catch {
    return unknown('OSS names a location that is no region');
  }
}

const known = <T>(value: T): Known<T> => ({ known: true, value });
const unknown = (why: string): { readonly known: false; readonly why: string } => ({ known: false, why });

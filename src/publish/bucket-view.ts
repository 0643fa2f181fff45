/** The bucket as a run sees it: address, connection, facts; and whether its region suits the nodes. */
import type { ClusterFacts } from '../cluster/types.ts';
import { Failure } from '../errors.ts';
import { checkBucketName, region, target } from '../oss/address.ts';
import { findRegion, readBucketFacts } from '../oss/bucket.ts';
import { loadCredentials } from '../oss/credentials.ts';
import type { Store } from '../oss/store.ts';
import { openStore } from '../oss/store.ts';
import type { BucketFacts, Target } from '../oss/types.ts';
import type { Answers } from '../questions.ts';
import type { Surroundings } from './types.ts';

export interface BucketView {
  readonly target: Target;
  readonly store: Store;
  readonly bucket: BucketFacts;
}

export async function openBucket(answers: Answers, facts: ClusterFacts, around: Surroundings): Promise<BucketView> {
  if (answers.bucket === undefined) {
    throw new Failure('AnswerMissing', 'no bucket is given to upload the script to', {
      next: ['Give --bucket, or --script-url if the script is served elsewhere.'],
    });
  }
  checkBucketName(answers.bucket);
  const options = {
    timeoutMs: answers.timeout * 1000,
    // No signal: a request that is under way is not cut in two, and what was made is taken back after a signal as well.
    mayWrite: around.mayWrite,
  };
  const credentials = await loadCredentials(around.env);
  const where = target({
    bucket: answers.bucket,
    region:
      answers.region === undefined
        ? await askRegion(answers.bucket, () => findRegion(answers.bucket!, credentials, options, answers.ossEndpoint))
        : region(answers.region),
    ossEndpoint: answers.ossEndpoint,
    ossCname: answers.ossCname,
    nodeEndpoint: answers.nodeEndpoint,
  });
  checkRegions(where, answers.nodeRegion === undefined ? facts.nodeRegions : [region(answers.nodeRegion)]);
  const store = openStore(where, credentials, options);
  return { target: where, store, bucket: await readBucketFacts(store) };
}

/** Key of the object that a node reads by this URL; undefined when it is not in this bucket. */
export const keyOf = (url: string, { nodeBaseUrl }: Target): string | undefined =>
  url.startsWith(`${nodeBaseUrl}/`) ? url.slice(nodeBaseUrl.length + 1).split('?')[0] : undefined;

/** Whether the object holds these bytes already. @throws Failure ObjectExists when it holds others */
export async function isThere(store: Store, key: string, body: Buffer): Promise<boolean> {
  const there = await store.get(key);
  if (there && !there.equals(body)) {
    throw new Failure('ObjectExists', `oss://${store.target.bucket}/${key} holds something else`);
  }
  return there !== undefined;
}

async function askRegion(bucket: string, find: () => ReturnType<typeof findRegion>): Promise<string> {
  const found = await find();
  if (found.known) return found.value;
  throw new Failure('AnswerMissing', `the region of bucket ${bucket} could not be found out: ${found.why}`, {
    next: ['Give --region with the region of the bucket, for example cn-hangzhou.'],
  });
}

/**
 * An internal endpoint answers only inside its own region (facts/registered-cluster.md, "More that breaks scale-out").
 * @throws Failure RegionMismatch
 */
function checkRegions(where: Target, nodeRegions: readonly string[]): void {
  const others = nodeRegions.filter((nodeRegion) => nodeRegion !== where.region);
  if (others.length === 0 || !new URL(where.nodeBaseUrl).hostname.includes('-internal.')) return;
  throw new Failure(
    'RegionMismatch',
    `bucket ${where.bucket} is in ${where.region}, but nodes are in ${others.join(', ')} and would read it by ${where.nodeBaseUrl}`,
  );
}

/** The bucket of a URL on a host of OSS's own. */
export const bucketOf = (url: string): string | undefined =>
  /^https?:\/\/([a-z0-9-]+)\.oss-[a-z0-9-]+\.aliyuncs\.com\//.exec(url)?.[1];

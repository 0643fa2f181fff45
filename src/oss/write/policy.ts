/** The bucket's policy, replaced as a whole. */
import type OSS from 'ali-oss';
import type { Store } from '../store.ts';
import type { PolicyDocument } from '../types.ts';

/** @throws Failure OssForbidden, PublicAccessBlocked, and the others of OSS */
export async function putPolicy(store: Store, policy: PolicyDocument): Promise<void> {
  await store.call('PutBucketPolicy', (client) => client.putBucketPolicy(store.target.bucket, mutable(policy)));
}

/** ali-oss's type of a policy knows neither conditions nor read-only lists; it sends whatever it is given as JSON. */
const mutable = (policy: PolicyDocument): OSS.BucketPolicy => JSON.parse(JSON.stringify(policy)) as OSS.BucketPolicy;

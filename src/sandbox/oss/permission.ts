/** May this request do this? For the owner, and for nobody. */
import type { Request } from '../http.ts';
import { accessDenied } from './answers.ts';
import { type Bucket, ownerId, vpcId } from './buckets.ts';
import type { ObjectInfo } from './files.ts';
import { isPublic, verdict } from './policy.ts';
import type { Signer } from './signature.ts';

/** Addresses that requests seem to come from: of a host in a VPC, and of one that is in none. */
const addresses = { inside: '192.168.20.21', outside: '203.0.113.10' };

/**
 * @param action `oss:GetObject`
 * @param object What is asked for, where it is an object that exists.
 * @throws OssError AccessDenied
 */
export function permit(
  request: Request,
  signer: Signer | undefined,
  action: string,
  bucket: Bucket,
  key: string,
  object?: ObjectInfo,
): void {
  if (!bucket.ours) throw accessDenied('The bucket you access does not belong to you.');
  const policy = policyInForce(bucket, signer === undefined);
  const said = verdict(policy, {
    account: signer && ownerId,
    owner: signer !== undefined,
    action,
    region: bucket.region,
    ownerId,
    resource: key === '' ? bucket.name : `${bucket.name}/${key}`,
    facts: factsOf(request, signer),
  });
  if (said === 'deny') throw accessDenied('Access denied by bucket policy.');
  if (signer || said === 'allow') return;
  if (action !== 'oss:GetObject') throw accessDenied('Anonymous access is forbidden for this operation.');
  const acl = object && object.acl !== 'default' ? object.acl : bucket.acl;
  const open = acl !== 'private' && !bucket.blockPublicAccess;
  if (!open) throw accessDenied('You have no right to access this object because of bucket acl.');
}

/** Block Public Access makes OSS overlook what a policy grants to everybody, not what it refuses. */
function policyInForce({ policy, blockPublicAccess }: Bucket, anonymous: boolean) {
  if (!policy || !blockPublicAccess || !anonymous) return policy;
  return { ...policy, Statement: policy.Statement.filter((statement) => !isPublic(statement)) };
}

/**
 * Nodes read without a signature or by a presigned URL, and are in the sandbox's VPC; who signs with a header is
 * somewhere else. For tests `x-sandbox-vpc` names another VPC, or `none`.
 */
function factsOf({ headers }: Request, signer: Signer | undefined): ReadonlyMap<string, string> {
  const node = signer === undefined || signer.presigned;
  const vpc = String(headers['x-sandbox-vpc'] ?? (node ? vpcId : 'none'));
  const facts = new Map([['acs:securetransport', 'false']]);
  if (signer) facts.set('acs:accessid', signer.keyId);
  if (vpc === 'none') return facts.set('acs:sourceip', addresses.outside);
  return facts.set('acs:sourceip', addresses.inside).set('acs:sourcevpc', vpc);
}

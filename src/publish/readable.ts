/**
 * Will a node's GET pass? Worked out from what is known of the bucket, since a signed read by the uploader proves nothing
 * about nodes (DESIGN.md section 7). Pure.
 *
 * The order is that of OSS for a request without signature (help.aliyun.com, OSS "Authorization process"): a Deny of the
 * bucket's policy decides, then an Allow of it, then the object's ACL, or the bucket's where the object has none of its
 * own. Block Public Access takes public statements and public ACLs out of that (OSS "Block Public Access"); a statement
 * with a fixed acs:SourceVpc is none (facts/oss.md). A signed URL passes unless a Deny hits it.
 *
 * Not seen from here, and not judged: pay-by-requester and referer lists, which refuse anonymous readers too.
 */
import { hits, isPublic, no, type PolicyRequest, unknown, type Verdict, yes } from '../oss/policy-match.ts';
import type { Access, Acl, Known, PolicyDocument, PolicyStatement, Readability } from '../oss/types.ts';

export interface ReadFacts {
  readonly bucketAcl: Known<Acl>;
  /** Undefined: the object has none of its own, so the bucket's holds. */
  readonly objectAcl: Acl | undefined;
  /** As it will be when the object is there. */
  readonly policy: Known<PolicyDocument | undefined>;
  readonly blockPublicAccess: Known<boolean>;
}

export interface ReadRequest {
  readonly bucket: string;
  readonly key: string;
  readonly vpcId: string | undefined;
  /** By https, which is the default. */
  readonly secure?: boolean;
}

export function readable(facts: ReadFacts, request: ReadRequest, access: Access): Readability {
  const signed = access === 'presigned';
  const asked: PolicyRequest = { ...request, secure: request.secure ?? true, signed };
  const denied = policyDenies(facts.policy, asked);
  if (denied.answer === 'yes') return { answer: 'no', why: denied.why };
  const granted = signed ? signature : either(policyAllows(facts, asked), aclAllows(facts));
  return granted.answer === 'yes' && denied.answer === 'unknown' ? denied : granted;
}

const signature: Readability = {
  answer: 'yes',
  why: 'the URL is signed, and no statement of the bucket policy denies it',
};

function either(policy: Readability, acl: Readability): Readability {
  const grants = [policy, acl];
  const best = grants.find(({ answer }) => answer === 'yes') ?? grants.find(({ answer }) => answer === 'unknown');
  return best ?? { answer: 'no', why: `${acl.why}, and ${policy.why}` };
}

const statementName = (index: number): string => `statement ${index + 1} of the bucket policy`;

interface Found {
  readonly name: string;
  readonly statement: PolicyStatement;
  readonly verdict: Verdict;
}

function found(
  policy: PolicyDocument | undefined,
  effect: PolicyStatement['Effect'],
  asked: PolicyRequest,
): readonly Found[] {
  return (policy?.Statement ?? [])
    .map((statement, index) => ({ name: statementName(index), statement, verdict: hits(statement, asked) }))
    .filter(({ statement, verdict }) => statement.Effect === effect && verdict.answer !== 'no');
}

/** `yes`: the read is denied. */
function policyDenies(policy: ReadFacts['policy'], asked: PolicyRequest): Readability {
  if (!policy.known) return { answer: 'unknown', why: `the bucket policy is not known: ${policy.why}` };
  const denials = found(policy.value, 'Deny', asked);
  const certain = denials.find(({ verdict }) => verdict.answer === 'yes');
  if (certain) return { answer: 'yes', why: `${certain.name} denies it` };
  const [possible] = denials;
  if (!possible) return { answer: 'no', why: '' };
  return { answer: 'unknown', why: `${possible.name} may deny it: it is not known ${possible.verdict.why}` };
}

function policyAllows(facts: ReadFacts, asked: PolicyRequest): Readability {
  const { policy } = facts;
  if (!policy.known) return { answer: 'unknown', why: `the bucket policy is not known: ${policy.why}` };
  if (!policy.value) return { answer: 'no', why: 'the bucket has no policy' };
  const { Statement } = policy.value;
  const grants = found(policy.value, 'Allow', asked).map(({ name, statement, verdict }) => {
    const counted = counts(statement, Statement, facts.blockPublicAccess);
    if (counted.answer === 'no') return { answer: 'no', why: `Block Public Access switches off ${name}` } as const;
    const doubt = [verdict, counted].find(({ answer }) => answer === 'unknown');
    if (doubt) return { answer: 'unknown', why: `${name} may allow it: it is not known ${doubt.why}` } as const;
    return { answer: 'yes', why: `${name} allows it` } as const;
  });
  return (
    grants.find(({ answer }) => answer === 'yes') ??
    grants.find(({ answer }) => answer === 'unknown') ??
    grants[0] ?? { answer: 'no', why: 'no statement of the bucket policy allows it' }
  );
}

/**
 * Whether Block Public Access leaves an Allow standing. A policy with one public statement is public as a whole (OSS "Block
 * Public Access", example 2), and whether its other statements then still count is said nowhere.
 */
function counts(statement: PolicyStatement, all: readonly PolicyStatement[], block: Known<boolean>): Verdict {
  if (block.known && !block.value) return yes;
  const own = isPublic(statement);
  const alone = all.every((other) => isPublic(other).answer === 'no');
  if (alone) return yes;
  if (!block.known) return unknown(`whether Block Public Access is on: ${block.why}`);
  if (own.answer === 'yes') return no;
  return own.answer === 'unknown'
    ? own
    : unknown('whether Block Public Access leaves it standing beside a public statement');
}

function aclAllows({ objectAcl, bucketAcl, blockPublicAccess: block }: ReadFacts): Readability {
  if (objectAcl === undefined && !bucketAcl.known)
    return { answer: 'unknown', why: `the bucket ACL is not known: ${bucketAcl.why}` };
  const acl = objectAcl ?? (bucketAcl.known ? bucketAcl.value : 'private');
  const name = `the ${objectAcl === undefined ? 'bucket' : 'object'} ACL`;
  if (acl === 'private') return { answer: 'no', why: `${name} is private` };
  if (!block.known)
    return {
      answer: 'unknown',
      why: `${name} is ${acl}, and it is not known whether Block Public Access is on: ${block.why}`,
    };
  return block.value
    ? { answer: 'no', why: `Block Public Access switches off ${name} ${acl}` }
    : { answer: 'yes', why: `${name} is ${acl}` };
}

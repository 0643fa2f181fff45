/** Will nodes be able to read the object, and must the bucket's policy change for it? Pure. */
import type { Finding } from '../errors.ts';
import { Failure } from '../errors.ts';
import { mergeStatement, vpcStatement } from '../oss/policy.ts';
import type { BucketFacts, Known, PolicyDocument, Readability, Target } from '../oss/types.ts';
import type { Answers } from '../questions.ts';
import { quote } from '../quote.ts';
import { stopWithConsent, warning } from '../script/findings.ts';
import { readable } from './readable.ts';
import type { Surroundings } from './types.ts';

export interface AccessDecision {
  readonly readability: Readability;
  /** The policy to write; undefined when the bucket's stays as it is. */
  readonly policy: PolicyDocument | undefined;
  /** Why everybody can read it, though --access does not say so; undefined when not everybody can, as far as is known. */
  readonly open: string | undefined;
}

/** What the object's key lies under: the scope of the one statement that `--access vpc` writes. */
export interface ObjectPlace {
  readonly key: string;
  readonly prefix: string;
}

/** @throws Failure PolicyNotManaged, with the statement to add */
export function decideAccess(where: Target, facts: BucketFacts, place: ObjectPlace, answers: Answers): AccessDecision {
  const judge = (
    policy: Known<PolicyDocument | undefined>,
    vpcId = answers.vpcId,
    access = answers.access,
  ): Readability =>
    readable(
      {
        bucketAcl: facts.acl,
        objectAcl: answers.access === 'public-read' ? 'public-read' : undefined,
        policy,
        blockPublicAccess: facts.blockPublicAccess,
      },
      { bucket: where.bucket, key: place.key, vpcId },
      access,
    );
  const asItIs = judge(facts.policy);
  const byStrangers = judge(facts.policy, 'vpc-of-a-stranger', 'private');
  const open = answers.access !== 'public-read' && byStrangers.answer === 'yes' ? byStrangers.why : undefined;
  if (answers.access !== 'vpc' || asItIs.answer === 'yes' || !facts.policy.known || answers.vpcId === undefined) {
    return { readability: asItIs, policy: undefined, open };
  }
  const statement = vpcStatement({
    bucket: where.bucket,
    ownerId: facts.ownerId.known ? facts.ownerId.value : '*',
    prefix: place.prefix,
    vpcId: answers.vpcId,
  });
  if (facts.policy.value && !answers.manageBucketPolicy) {
    throw new Failure(
      'PolicyNotManaged',
      `the policy of bucket ${where.bucket} does not let ${answers.vpcId} read ${place.prefix}`,
      {
        next: [
          'Give --manage-bucket-policy to have this statement merged into it, or add it yourself:',
          JSON.stringify(statement),
        ],
      },
    );
  }
  const merged = mergeStatement(facts.policy.value, statement);
  return { readability: judge({ known: true, value: merged }), policy: merged, open };
}

/** What is made public needs the name of the bucket as well as consent. @throws Failure ConfirmationMissing */
export function publicFindings(
  { access, bucket }: Answers,
  { confirmed, consented }: Pick<Surroundings, 'confirmed' | 'consented'>,
): readonly Finding[] {
  if (access !== 'public-read' || confirmed === bucket) return [];
  const what = '--access public-read lets everybody on the internet read the token in the script';
  return stopWithConsent(consented, 'ConfirmationMissing', what, `Give --confirm ${bucket}, or --access vpc.`);
}

/** @throws Failure NodesCannotRead, ReadabilityUnknown */
export function refuseUnreadable(readability: Readability, url: string, answers: Answers): readonly Finding[] {
  if (readability.answer === 'no') {
    throw new Failure('NodesCannotRead', `nodes could not read ${url}: ${readability.why}`);
  }
  if (readability.answer === 'yes') return [];
  if (!answers.acceptUnverified) {
    throw new Failure('ReadabilityUnknown', `it is not known whether nodes can read ${url}: ${readability.why}`, {
      next: [
        'If the credentials lack a right, allow it (docs/permissions.md): then it can be worked out.',
        `Or give --accept-unverified, and afterwards try it on an ECS host of the pool's VPC: ${readCheck(url)}`,
      ],
    });
  }
  const what = `it is not known whether nodes can read the script: ${readability.why}`;
  return [warning('ReadabilityUnknown', what, `Try it on an ECS host of the pool's VPC: ${readCheck(url)}`)];
}

/** Nobody has asked for it, so it is said. */
export function openFindings({ open }: AccessDecision): readonly Finding[] {
  if (open === undefined) return [];
  const what = `everybody on the internet can read the script, and the token in it: ${open}`;
  return [warning('PubliclyReadable', what, 'Make the bucket private, and use --access vpc.')];
}

const readCheck = (url: string) => `curl -fsS -o /dev/null -w '%{http_code}\\n' ${quote(url)}`;

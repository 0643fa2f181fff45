/** Who could read a script in this bucket, told before there is one: what the wizard lets a user choose from. Pure. */
import type { ClusterFacts } from '../cluster/types.ts';
import type { PolicyStatement, Readability } from '../oss/types.ts';
import type { Answers } from '../questions.ts';
import { decideAccess } from './access.ts';
import type { BucketView } from './bucket-view.ts';
import { objectPlace } from './place.ts';

export interface AccessChoices {
  /** The object's URL as nodes read it, and where it is uploaded; its name is only known with the script. */
  readonly nodeUrl: string;
  readonly uploadUrl: string;
  /** --access private: the bucket as it is. */
  readonly asItIs: Readability;
  /** --access vpc with the VPC of the answers, or the only one that the bucket's policy names; undefined while none is known. */
  readonly vpc: { readonly id: string; readonly readability: Readability } | undefined;
  /** What --access vpc would add to the bucket's policy; undefined when nothing is missing there. */
  readonly statement: PolicyStatement | undefined;
  /** Whether the bucket has a policy of its own that the statement would be merged into. */
  readonly hasPolicy: boolean;
  /** Every VPC that the bucket's policy names already. */
  readonly vpcIds: readonly string[];
  /** Those of them that it lets read what lies under our prefix, as it does after a publication for them; the latest last. */
  readonly readers: readonly string[];
}

/** Stands for the digest of a script that is not composed yet. */
const anyDigest = '0'.repeat(12);

export function accessChoices({ target, bucket }: BucketView, facts: ClusterFacts, answers: Answers): AccessChoices {
  const place = objectPlace(answers, facts, anyDigest);
  const decided = (access: Answers['access'], vpcId = answers.vpcId) =>
    decideAccess(target, bucket, place, { ...answers, access, vpcId, manageBucketPolicy: true });
  const asItIs = decided('private').readability;
  const policy = bucket.policy.known ? bucket.policy.value : undefined;
  const vpcIds = [...new Set((policy?.Statement ?? []).flatMap(({ Condition }) => vpcsOf(Condition)))];
  const vpcId = answers.vpcId ?? (vpcIds.length === 1 ? vpcIds[0] : undefined);
  const vpc = vpcId === undefined ? undefined : { id: vpcId, ...decided('vpc', vpcId) };
  const isReader = (id: string) => {
    const { readability, policy: missing } = decided('vpc', id);
    return readability.answer === 'yes' && missing === undefined;
  };
  return {
    nodeUrl: `${target.nodeBaseUrl}/${place.prefix}`,
    uploadUrl: `${target.endpoint}, bucket ${target.bucket}`,
    asItIs,
    vpc: vpc && { id: vpc.id, readability: vpc.readability },
    statement: vpc?.policy?.Statement.at(-1),
    hasPolicy: policy !== undefined,
    vpcIds,
    // Where everybody reads, no VPC stands out.
    readers: asItIs.answer === 'yes' ? [] : vpcIds.filter(isReader),
  };
}

function vpcsOf(condition: PolicyStatement['Condition']): readonly string[] {
  return Object.entries(condition ?? {})
    .filter(([operator]) => operator === 'StringEquals')
    .flatMap(([, keys]) => Object.entries(keys))
    .filter(([key]) => key.toLowerCase() === 'acs:sourcevpc')
    .flatMap(([, values]) => values)
    .filter((id) => /^vpc-[a-z0-9]+$/.test(id));
}

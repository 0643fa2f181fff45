/** What the wizard offers as readers, and the VPC of the last publication among them. */
import { describe, expect, it } from 'vitest';
import { vpcStatement } from '../../src/oss/policy.ts';
import type { BucketFacts, PolicyStatement, Target } from '../../src/oss/types.ts';
import { accessChoices } from '../../src/publish/access-choices.ts';
import type { Answers } from '../../src/questions.ts';
import { answersOf, factsOf } from '../script/fixtures.ts';

const target: Target = {
  bucket: 'example',
  region: 'cn-hangzhou',
  endpoint: 'https://oss-cn-hangzhou.aliyuncs.com',
  nodeBaseUrl: 'https://example.oss-cn-hangzhou-internal.aliyuncs.com',
  addressing: 'virtual',
};
const known = <T>(value: T) => ({ known: true, value }) as const;

const lets = (vpcId: string, prefix: string): PolicyStatement =>
  vpcStatement({ bucket: 'example', ownerId: '1', prefix, vpcId });

function choices(
  statements: readonly PolicyStatement[],
  given: Partial<Answers> = {},
  more: Partial<BucketFacts> = {},
) {
  const bucket: BucketFacts = {
    region: known('cn-hangzhou'),
    acl: known('private'),
    blockPublicAccess: known(false),
    policy: known({ Version: '1', Statement: statements }),
    ownerId: known('1'),
    storageClass: known('Standard'),
    versioning: known(false),
    ...more,
  };
  const view = { target, bucket, store: undefined as never };
  return accessChoices(view, factsOf(), answersOf({ bucket: 'example', ...given }));
}

describe('VPCs that read already', () => {
  it('are those of the statements for our prefix, the latest last', () => {
    const found = choices([
      lets('vpc-a', 'ackone-join/lab/'),
      lets('vpc-b', 'backups/'),
      lets('vpc-c', 'ackone-join/lab/'),
    ]);
    expect(found.vpcIds).toEqual(['vpc-a', 'vpc-b', 'vpc-c']);
    expect(found.readers).toEqual(['vpc-a', 'vpc-c']);
    expect(found.vpc).toBeUndefined();
  });

  it('are others for another prefix', () => {
    const statements = [lets('vpc-a', 'ackone-join/lab/'), lets('vpc-b', 'backups/')];
    expect(choices(statements, { objectPrefix: 'backups/' }).readers).toEqual(['vpc-b']);
  });

  it('are none where the prefix is forbidden to all', () => {
    const forbids: PolicyStatement = { ...lets('vpc-a', 'ackone-join/'), Effect: 'Deny', Condition: {} };
    expect(choices([lets('vpc-a', 'ackone-join/lab/'), lets('vpc-b', 'x/'), forbids]).readers).toEqual([]);
  });

  it('are none where everybody reads, and none where the policy is not known', () => {
    const statements = [lets('vpc-a', 'ackone-join/lab/'), lets('vpc-b', 'backups/')];
    expect(choices(statements, {}, { acl: known('public-read') }).readers).toEqual([]);
    const unread = choices([], {}, { policy: { known: false, why: 'no right' } });
    expect([unread.vpcIds, unread.readers, unread.vpc]).toEqual([[], [], undefined]);
  });

  it('one that is the only one in the policy is taken without a question', () => {
    const found = choices([lets('vpc-a', 'ackone-join/lab/')]);
    expect(found.vpc).toMatchObject({ id: 'vpc-a', readability: { answer: 'yes' } });
    expect(found.statement).toBeUndefined();
  });
});

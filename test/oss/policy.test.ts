import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeStatement, parsePolicy, vpcStatement } from '../../src/oss/policy.ts';
import { globMatches } from '../../src/oss/policy-words.ts';
import type { PolicyDocument } from '../../src/oss/types.ts';

const where = { bucket: 'example-bucket', ownerId: '1234567890', prefix: 'ackone-join/c/', vpcId: 'vpc-bp1' };

describe('the statement of --access vpc', () => {
  it('lets one VPC read the whole prefix', () => {
    expect(vpcStatement(where)).toEqual({
      Effect: 'Allow',
      Principal: ['*'],
      Action: ['oss:GetObject'],
      Resource: ['acs:oss:*:1234567890:example-bucket/ackone-join/c/*'],
      Condition: { StringEquals: { 'acs:SourceVpc': ['vpc-bp1'] } },
    });
  });

  it('lets it read one key, and nothing that begins with it', () => {
    expect(vpcStatement({ ...where, prefix: 'join.sh' }).Resource).toEqual([
      'acs:oss:*:1234567890:example-bucket/join.sh',
    ]);
  });
});

describe('merging', () => {
  const statement = vpcStatement(where);
  const others: PolicyDocument = {
    Version: '1',
    Statement: [{ Sid: 'mine', Effect: 'Deny', Principal: ['2012'], Action: 'oss:*', Resource: '*' }],
  };

  it('makes a policy where there is none', () => {
    expect(mergeStatement(undefined, statement)).toEqual({ Version: '1', Statement: [statement] });
  });

  it('keeps what is there, and adds at the end', () => {
    expect(mergeStatement(others, statement)).toEqual({ Version: '1', Statement: [others.Statement[0], statement] });
  });

  it('twice is the same as once', () => {
    const once = mergeStatement(others, statement);
    expect(mergeStatement(once, statement)).toBe(once);
  });

  it('knows the same statement in other words', () => {
    const written: PolicyDocument = {
      Version: '1',
      Statement: [
        {
          Condition: { StringEquals: { 'acs:SourceVpc': 'vpc-bp1' } },
          Resource: 'acs:oss:*:1234567890:example-bucket/ackone-join/c/*',
          Action: 'oss:GetObject',
          Principal: '*',
          Effect: 'Allow',
        },
      ],
    };
    expect(mergeStatement(written, statement)).toBe(written);
  });

  it('knows the same statement with its lists in another order', () => {
    const two = { ...statement, Action: ['oss:GetObject', 'oss:GetObjectAcl'] };
    const policy = mergeStatement(undefined, { ...two, Action: ['oss:GetObjectAcl', 'oss:GetObject'] });
    expect(mergeStatement(policy, two)).toBe(policy);
  });

  it.each([{ vpcId: 'vpc-2' }, { prefix: 'ackone-join/' }, { bucket: 'other-bucket' }])(
    '%j is another statement',
    (other) => {
      const policy = mergeStatement(undefined, vpcStatement({ ...where, ...other }));
      expect(mergeStatement(policy, statement).Statement).toHaveLength(2);
    },
  );
});

describe('reading a policy', () => {
  it('keeps what it does not know', () => {
    const policy = {
      Version: '1',
      Id: 'x',
      Statement: [{ Effect: 'Allow', Principal: { RAM: ['*'] }, Odd: { a: [1] } }],
    };
    expect(parsePolicy(policy)).toEqual(policy);
  });

  it.each([
    null,
    'text',
    {},
    { Version: '1', Statement: {} },
    { Version: '1', Statement: [{ Effect: 'allow' }] },
    { Version: '1', Statement: [{ Effect: 'Allow', Condition: { StringEquals: 'x' } }] },
  ])('%j is none that is understood', (value) => expect(parsePolicy(value)).toBeUndefined());
});

describe('wildcards', () => {
  it.each([
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a*', 'b', false],
    ['*a*b*', 'xxaxxbxx', true],
    ['*a*b*', 'xxbxxaxx', false],
    ['a*bc', 'abcbc', true],
    ['a.c', 'abc', false],
    ['**', 'anything', true],
    ['vpc-*', 'vpc-', true],
  ])('%s on %s: %s', (pattern, text, matches) => expect(globMatches(pattern, text)).toBe(matches));

  it('agree with the regular expression of the same meaning', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    fc.assert(
      fc.property(word, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 }), (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(globMatches(pattern, text)).toBe(expression.test(text));
      }),
    );
  });

  it('end in time on a pattern made to take for ever', () => {
    expect(globMatches(`${'a*'.repeat(500)}b`, 'a'.repeat(1000))).toBe(false);
  });
});

/**
 * What a bucket policy says about one request, and whether it is public. Written from help.aliyun.com, OSS "Bucket
 * Policy" and "Block Public Access", apart from src/publish/readable.ts: a test compares the two.
 */
import { BlockList, isIP } from 'node:net';
import type { PolicyDocument, PolicyStatement, Principals } from '../../oss/types.ts';

/** One request, as conditions see it. */
export interface Context {
  /** Account id of the one who asks; undefined for nobody. */
  readonly account: string | undefined;
  /** Whether that account owns the bucket. */
  readonly owner: boolean;
  /** `oss:GetObject` */
  readonly action: string;
  readonly region: string;
  readonly ownerId: string;
  /** `bucket` or `bucket/key` */
  readonly resource: string;
  /** Condition keys that the request has, in lower case: `acs:sourcevpc`, … */
  readonly facts: ReadonlyMap<string, string>;
}

/** Deny first, then allow; a policy that says nothing about the request is neither. */
export function verdict(policy: PolicyDocument | undefined, context: Context): 'allow' | 'deny' | undefined {
  const statements = (policy?.Statement ?? []).filter((statement) => applies(statement, context));
  if (statements.some(({ Effect }) => Effect === 'Deny')) return 'deny';
  return statements.length > 0 ? 'allow' : undefined;
}

function applies(statement: PolicyStatement, context: Context): boolean {
  return (
    principalApplies(statement, context) &&
    actionApplies(statement, context) &&
    resourceApplies(statement, context) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
      Object.entries(keys).every(([key, values]) => conditionHolds(operator, key, listOf(values), context)),
    )
  );
}

/** `*` without a condition means everybody but the owner; with one it means the owner too. */
function principalApplies(statement: PolicyStatement, { account, owner }: Context): boolean {
  const named = (list: readonly string[]) => list.includes('*') || (account !== undefined && list.includes(account));
  if (statement.NotPrincipal) return !named(namesIn(statement.NotPrincipal));
  const principals = namesIn(statement.Principal);
  if (owner && statement.Condition === undefined) return account !== undefined && principals.includes(account);
  return named(principals);
}

function actionApplies({ Action, NotAction }: PolicyStatement, { action }: Context): boolean {
  if (NotAction !== undefined) return !listOf(NotAction).some((pattern) => glob(pattern, action));
  return listOf(Action).some((pattern) => glob(pattern, action));
}

function resourceApplies({ Resource, NotResource }: PolicyStatement, context: Context): boolean {
  if (NotResource !== undefined) return !listOf(NotResource).some((pattern) => resourceFits(pattern, context));
  return listOf(Resource).some((pattern) => resourceFits(pattern, context));
}

/** `acs:oss:REGION:ACCOUNT:BUCKET/KEY` */
function resourceFits(pattern: string, { region, ownerId, resource }: Context): boolean {
  if (pattern === '*') return true;
  const [, regions = '', account = '', path = ''] = /^acs:oss:([^:]*):([^:]*):(.*)$/s.exec(pattern) ?? [];
  const regionFits = glob(regions, region) || glob(regions, `oss-${region}`);
  return regionFits && glob(account, ownerId) && glob(path, resource);
}

type Test = (value: string, expected: string) => boolean;
const same: Test = (value, expected) => value === expected;
const like: Test = (value, expected) => glob(expected, value);
const inRange: Test = (value, expected) => rangeHolds(expected, value);

/** The operators that PutBucketPolicy takes here. A negated one holds as well when the request lacks the key. */
const operators: Readonly<Record<string, { readonly test: Test; readonly negated: boolean }>> = {
  StringEquals: { test: same, negated: false },
  StringNotEquals: { test: same, negated: true },
  StringLike: { test: like, negated: false },
  StringNotLike: { test: like, negated: true },
  Bool: { test: same, negated: false },
  IpAddress: { test: inRange, negated: false },
  NotIpAddress: { test: inRange, negated: true },
};
export const knownOperator = (operator: string) => operator in operators;

function conditionHolds(operator: string, key: string, values: readonly string[], { facts }: Context): boolean {
  const { test, negated } = operators[operator] ?? { test: () => false, negated: false };
  const fact = facts.get(key.toLowerCase());
  return (fact !== undefined && values.some((value) => test(fact, value))) !== negated;
}

/** Whether Block Public Access would ignore the statement: it allows everybody, from anywhere. */
export function isPublic({ Effect, Condition = {}, ...statement }: PolicyStatement): boolean {
  if (Effect === 'Deny') return false;
  if (!statement.NotPrincipal && !namesIn(statement.Principal).includes('*')) return false;
  const fixed = Object.entries(Condition).some(([operator, keys]) =>
    Object.entries(keys).some(([key, values]) => isFixed(operator, key.toLowerCase(), listOf(values))),
  );
  return !fixed;
}

function isFixed(operator: string, key: string, values: readonly string[]): boolean {
  if (operator === 'IpAddress') return key === 'acs:sourceip' && values.every((value) => !/\/0$/.test(value));
  const names = ['acs:sourcevpc', 'acs:sourcevpcid', 'acs:accessid'];
  const positive = operator === 'StringEquals' || operator === 'StringLike';
  return positive && names.includes(key) && values.every((value) => !value.includes('*'));
}

const namesIn = (principals: Principals = []): readonly string[] =>
  typeof principals === 'string' ? [principals] : Object.values(principals).flat();
const listOf = (value: string | readonly string[] = []): readonly string[] =>
  typeof value === 'string' ? [value] : value;

function glob(pattern: string, text: string): boolean {
  const parts = pattern.split(/([*?])/).map((part) => {
    if (part === '*') return '.*';
    return part === '?' ? '.' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 's').test(text);
}

function rangeHolds(range: string, address: string): boolean {
  const [network = '', bits] = range.split('/');
  if (isIP(network) === 0) return false;
  const list = new BlockList();
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  if (bits === undefined) list.addAddress(network, family);
  else list.addSubnet(network, Number(bits), family);
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

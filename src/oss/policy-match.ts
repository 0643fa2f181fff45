/**
 * Does a statement of a bucket policy hit one GET? Three-valued: what is not known for sure is unknown, with its reason.
 * Rules of the elements: help.aliyun.com, OSS "Authorization syntax and elements" and "Bucket Policy"; of the operators:
 * RAM "Conditional operators". Pure.
 */
import { covers, globMatches } from './policy-words.ts';
import type { PolicyStatement, Principals } from './types.ts';

export interface Verdict {
  readonly answer: 'yes' | 'no' | 'unknown';
  /** What is not known; empty unless the answer is unknown. */
  readonly why: string;
}

export const yes: Verdict = { answer: 'yes', why: '' };
export const no: Verdict = { answer: 'no', why: '' };
export const unknown = (why: string): Verdict => ({ answer: 'unknown', why });
const verdict = (value: boolean): Verdict => (value ? yes : no);
const not = (of: Verdict): Verdict => (of.answer === 'yes' ? no : of.answer === 'no' ? yes : of);

/** All must hold: one no decides, then one unknown. */
const all = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.find(({ answer }) => answer === 'no') ?? verdicts.find(({ answer }) => answer === 'unknown') ?? yes;

/** One is enough: one yes decides, then one unknown. */
const any = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.find(({ answer }) => answer === 'yes') ?? verdicts.find(({ answer }) => answer === 'unknown') ?? no;

/** One GetObject, from a host of the pool. */
export interface PolicyRequest {
  readonly bucket: string;
  readonly key: string;
  /** Undefined when nobody said which VPC the nodes are in. */
  readonly vpcId: string | undefined;
  /** By https. */
  readonly secure: boolean;
  /** Signed: by an account whose id is not known here. */
  readonly signed: boolean;
}

const elements = new Set([
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
]);

/** Whether the statement, be it Allow or Deny, is about this request. */
export function hits(statement: PolicyStatement, request: PolicyRequest): Verdict {
  const odd = Object.keys(statement).find((element) => !elements.has(element));
  return all([
    principal(statement, request),
    either(statement.Action, statement.NotAction, 'Action', (action) =>
      verdict(globMatches(action, 'oss:GetObject', { ignoreCase: true })),
    ),
    either(statement.Resource, statement.NotResource, 'Resource', (resource) => resourceMatches(resource, request)),
    ...conditions(statement.Condition, request),
    odd === undefined ? yes : unknown(`what ${odd} means`),
  ]);
}

const listed = (words: string | readonly string[]): readonly string[] => (typeof words === 'string' ? [words] : words);

function either(
  words: string | readonly string[] | undefined,
  notWords: string | readonly string[] | undefined,
  element: string,
  matches: (word: string) => Verdict,
): Verdict {
  if (words !== undefined) return any(listed(words).map(matches));
  if (notWords !== undefined) return not(any(listed(notWords).map(matches)));
  return unknown(`what a statement without ${element} is about`);
}

/**
 * An anonymous reader is `*` and nobody else. A signer is one of `*` too, but `*` without a Condition leaves the bucket's
 * owner out (OSS "Bucket Policy"), and whether the signer is a listed account cannot be seen from here.
 */
function principal(statement: PolicyStatement, { signed }: PolicyRequest): Verdict {
  const { Principal, NotPrincipal, Condition } = statement;
  if (Principal === undefined && NotPrincipal === undefined)
    return unknown('whom a statement without Principal is about');
  if (Principal === undefined)
    return namesEverybody(NotPrincipal!) ? no : signed ? unknown('whether NotPrincipal names the signer') : yes;
  if (!signed) return verdict(namesEverybody(Principal));
  if (!namesEverybody(Principal))
    return names(Principal).length === 0 ? no : unknown('whether Principal names the signer');
  return Condition === undefined ? unknown("whether the signer is the bucket's owner") : yes;
}

const names = (principals: Principals): readonly string[] =>
  typeof principals === 'object' && !Array.isArray(principals)
    ? Object.values(principals as Record<string, string | readonly string[]>).flatMap(listed)
    : listed(principals as string | readonly string[]);

/** `*`, `["*"]` or `{"RAM": ["*"]}`. */
const namesEverybody = (principals: Principals): boolean => names(principals).includes('*');

/** `acs:oss:REGION:ACCOUNT:BUCKET/KEY` with wildcards, or `*`. OSS accepts only the owner's account in a bucket's policy. */
function resourceMatches(resource: string, { bucket, key }: PolicyRequest): Verdict {
  if (resource === '*') return yes;
  const [, region, path] = /^acs:oss:([^:]*):[^:]*:(.*)$/s.exec(resource) ?? [];
  if (path === undefined || path.includes('${')) return unknown('what the Resource of a statement stands for');
  if (!globMatches(path, `${bucket}/${key}`)) return no;
  return region === '*' ? yes : unknown('whether the region in the Resource of a statement is meant');
}

function conditions(condition: PolicyStatement['Condition'], request: PolicyRequest): readonly Verdict[] {
  return Object.entries(condition ?? {}).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => conditionHolds(operator, key, listed(values), request)),
  );
}

/** Operators on strings, and which of them deny. */
const textOperators: Readonly<
  Record<string, { readonly negated: boolean; readonly matches: (pattern: string, text: string) => boolean }>
> = {
  StringEquals: { negated: false, matches: (pattern, text) => pattern === text },
  StringNotEquals: { negated: true, matches: (pattern, text) => pattern === text },
  StringEqualsIgnoreCase: { negated: false, matches: (pattern, text) => pattern.toLowerCase() === text.toLowerCase() },
  StringNotEqualsIgnoreCase: {
    negated: true,
    matches: (pattern, text) => pattern.toLowerCase() === text.toLowerCase(),
  },
  StringLike: { negated: false, matches: (pattern, text) => globMatches(pattern, text) },
  StringNotLike: { negated: true, matches: (pattern, text) => globMatches(pattern, text) },
};

function conditionHolds(operator: string, key: string, values: readonly string[], request: PolicyRequest): Verdict {
  const unclear = unknown(`whether the condition ${operator} ${key} holds for a node`);
  const name = key.toLowerCase();
  if (name === 'acs:securetransport' && operator === 'Bool')
    return any(values.map((value) => verdict(value.toLowerCase() === String(request.secure))));
  if (name === 'acs:sourceip') {
    // A host of a VPC comes with its private address, which nobody knows before it is made.
    if (!values.some(covers)) return unclear;
    return operator === 'IpAddress' ? yes : operator === 'NotIpAddress' ? no : unclear;
  }
  const text = Object.hasOwn(textOperators, operator) ? textOperators[operator] : undefined;
  if (name !== 'acs:sourcevpc' || !text) return unclear;
  const { vpcId } = request;
  if (vpcId === undefined) return unknown(`which VPC the nodes are in (--vpc-id), and ${key} decides`);
  const matching = values.filter((value) => text.matches(value, vpcId)).length;
  if (!text.negated) return verdict(matching > 0);
  // Whether several values of a negated operator are "none of" or "not all of" is documented nowhere.
  return matching > 0 && matching < values.length ? unclear : verdict(matching === 0);
}

/** Keys whose fixed values make a statement non-public (help.aliyun.com, OSS "Block Public Access", table of non-public access). */
const fixingKeys = new Set(['acs:sourcevpcid', 'acs:sourcevpc', 'acs:accessid']);
const fixingAddresses = new Set(['acs:sourceip', 'acs:sourcevpcip']);

/** Whether Block Public Access counts the statement as public. The table does not say what a negated operator does. */
export function isPublic(statement: PolicyStatement): Verdict {
  if (statement.Effect === 'Deny') return no;
  if (statement.Principal !== undefined && !names(statement.Principal).some((name) => name.includes('*'))) return no;
  const keys = Object.entries(statement.Condition ?? {}).flatMap(([operator, tests]) =>
    Object.entries(tests).map(([key, values]) => ({ operator, key: key.toLowerCase(), values: listed(values) })),
  );
  const fixing = keys.filter(
    ({ key, values }) =>
      (fixingKeys.has(key) && !values.some((value) => value.includes('*'))) ||
      (fixingAddresses.has(key) && values.every(isNarrow)),
  );
  if (fixing.some(({ operator }) => !operator.includes('Not'))) return no;
  return fixing.length > 0 ? unknown('whether Block Public Access takes a negated condition for public') : yes;
}

/** Mask of 8 or more for IPv4, 32 or more for IPv6 (the same table). */
function isNarrow(cidr: string): boolean {
  const mask = /\/(\d+)$/.exec(cidr)?.[1];
  return mask === undefined || Number(mask) >= (cidr.includes(':') ? 32 : 8);
}

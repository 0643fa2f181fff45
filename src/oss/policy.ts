/** Bucket policies as data: the one statement that `--access vpc` needs, and adding it without touching the others. Pure. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { PolicyDocument, PolicyStatement } from './types.ts';

/**
 * Lets every host of one VPC read what begins with `prefix`. OSS counts a fixed acs:SourceVpc as not public, so Block
 * Public Access may stay on (facts/oss.md).
 * @param prefix Ends with a slash, or is one whole key.
 * @param ownerId Account id of the bucket's owner, or `*`.
 */
export function vpcStatement(where: {
  readonly bucket: string;
  readonly ownerId: string;
  readonly prefix: string;
  readonly vpcId: string;
}): PolicyStatement {
  const objects = where.prefix.endsWith('/') ? `${where.prefix}*` : where.prefix;
  return {
    Effect: 'Allow',
    Principal: ['*'],
    Action: ['oss:GetObject'],
    Resource: [`acs:oss:*:${where.ownerId}:${where.bucket}/${objects}`],
    Condition: { StringEquals: { 'acs:SourceVpc': [where.vpcId] } },
  };
}

/** The policy itself when it holds such a statement already. */
export function mergeStatement(policy: PolicyDocument | undefined, statement: PolicyStatement): PolicyDocument {
  if (!policy) return { Version: '1', Statement: [statement] };
  const wanted = normal(statement);
  if (policy.Statement.some((present) => isDeepStrictEqual(normal(present), wanted))) return policy;
  return { ...policy, Statement: [...policy.Statement, statement] };
}

/** One value and a list of one are the same, and order does not count. */
function normal(value: unknown): unknown {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return [...value].sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, normal(part)]));
}

const words = z.union([z.string(), z.array(z.string())]);
const principals = z.union([words, z.record(z.string(), words)]);

/** Whatever else a statement holds is kept as it is. */
const statementShape = z.looseObject({
  Effect: z.enum(['Allow', 'Deny']),
  Principal: principals.exactOptional(),
  NotPrincipal: principals.exactOptional(),
  Action: words.exactOptional(),
  NotAction: words.exactOptional(),
  Resource: words.exactOptional(),
  NotResource: words.exactOptional(),
  Condition: z.record(z.string(), z.record(z.string(), words)).exactOptional(),
});

const documentShape = z.looseObject({
  Version: z.string(),
  Statement: z.array(statementShape),
});

/** @returns undefined for what is no policy, or one with elements of a form that is not known here. */
export function parsePolicy(value: unknown): PolicyDocument | undefined {
  const parsed = documentShape.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** The documents of `-o json`: their keys are a stable surface (DESIGN.md section 6). */
import type { Finding, Interrupted } from '../errors.ts';
import type { Publication } from '../publish/apply.ts';
import type { Plan } from '../publish/types.ts';
import { checkCommand, type ToldFailure } from './text.ts';

/** @param schema Name and version, `plan/v1`. */
export const document = (schema: string, content: object): string =>
  `${escaped(JSON.stringify({ schema: `ackone-join/${schema}`, ...content }, null, 2))}\n`;

/** The same document without the characters that JSON.stringify leaves and a terminal obeys (masking.ts, visible). */
const escaped = (json: string): string =>
  json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );

export const planJson = (plan: Plan): string => document('plan/v1', plan);

export const resultJson = (plan: Plan, publication: Publication | undefined): string =>
  document('result/v1', {
    changed: publication !== undefined,
    state: publication?.state ?? 'live',
    url: plan.url,
    object: plan.object,
    digest: plan.script.digest,
    size: plan.script.size,
    tokenId: plan.tokenId,
    proof: publication?.proof,
    previousUrl: plan.live.url === plan.url ? undefined : plan.live.url,
    readability: plan.readability,
    imageRequirements: plan.imageRequirements,
    findings: plan.findings,
    check: checkCommand(plan.url),
  });

export interface ScriptFile {
  readonly path: string;
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  readonly findings: readonly Finding[];
}

export const fileJson = (file: ScriptFile): string => document('script/v1', file);

export const failureJson = ({ code, message, causes, next, manifest, trace, log }: ToldFailure): string =>
  document('error/v1', { error: { code, message, causes, nextSteps: next, manifest, trace, log } });

export const interruptJson = ({ message, causes }: Interrupted): string =>
  document('error/v1', { error: { code: 'Interrupted', message, causes, nextSteps: [] } });

/** Plan, result and failure as people read them. Pure: strings only; what strangers wrote is made harmless here. */
import type { Finding, Interrupted } from '../errors.ts';
import { masked, visible } from '../masking.ts';
import type { Publication } from '../publish/apply.ts';
import type { Plan, Step } from '../publish/types.ts';
import { quote } from '../quote.ts';

const signs = { create: '+', update: '~', keep: ' ' } as const satisfies Record<Step['action'], string>;

export function planText(plan: Plan): string {
  const width = Math.max(...plan.values.map(({ name }) => name.length));
  const lines = [
    `Cluster ${plan.clusterName} (context ${plan.context})`,
    ...plan.values.map(({ name, value, source }) => `  ${name.padEnd(width)}  ${value}  [${source}]`),
    '',
    plan.changes ? 'Plan' : 'No changes: what is live is what would be published.',
    ...plan.steps.map((step, index) => `  ${index + 1}. ${signs[step.action]} ${step.what}`),
    ...(plan.imageRequirements.length > 0 ? ['', "The node pool's image needs"] : []),
    ...plan.imageRequirements.map(({ what }) => `  - ${what}`),
  ];
  return `${lines.map(visible).join('\n')}\n${findingsText(plan.findings)}`;
}

export function findingsText(findings: readonly Finding[]): string {
  return findings
    .map((finding) => findingLines(finding).map(visible).join('\n'))
    .map((text) => `${text}\n`)
    .join('');
}

const findingLines = ({ severity, what, next }: Finding): string[] => [
  `${severity === 'note' ? 'Note' : 'Warning'}: ${what}`,
  ...next.map((step) => `  Next: ${step}`),
];

const outcomes = { live: 'Published', prepared: 'Prepared ' } as const satisfies Record<Publication['state'], string>;

/** What stands on stdout after `init`. */
export function resultText(plan: Plan, publication: Publication | undefined): string {
  const lines = [
    `${publication ? outcomes[publication.state] : 'No changes'}  ${plan.url}`,
    `Script     sha256:${plan.script.digest}, ${plan.script.size} bytes`,
    ...(plan.tokenId === undefined
      ? []
      : [`Token      ${masked(plan.tokenId)}${publication?.proof ? `, ${proofText(publication.proof)}` : ''}`]),
    ...(plan.live.url !== undefined && plan.live.url !== plan.url ? [`Before     ${plan.live.url}`] : []),
    ...(publication?.state === 'prepared' ? [] : whatNow(plan)),
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

const whatNow = ({ url }: Plan): readonly string[] => [
  '',
  'Check it on any ECS host of the VPC, before a pool exists:',
  `  ${checkCommand(url)}`,
  'Then scale the pool by one; the log of a node is /var/log/acs/init.log.',
];

/** The script's check phase changes nothing on the host. */
export const checkCommand = (url: string): string => `curl -fsSL ${quote(url)} | ACKONE_JOIN_PHASE=check bash`;

function proofText(proof: NonNullable<Publication['proof']>): string {
  if (proof.result === 'proven') return `proven: ${proof.shown.join(', ')}`;
  return proof.result === 'unreachable' ? `not proven from here: ${proof.why}` : 'refuted';
}

export const interruptText = ({ causes }: Interrupted): string =>
  `Interrupted: ${causes.length > 0 ? causes.map(visible).join('; ') : 'nothing was changed'}.\n`;

/** A failure as it is shown, in whichever form. */
export interface ToldFailure {
  readonly code: string;
  readonly message: string;
  readonly why: string;
  readonly causes: readonly string[];
  readonly next: readonly string[];
  /** YAML for `kubectl apply -f -` that a next step speaks of. */
  readonly manifest: string | undefined;
  /** Where in the program it happened, for --debug. */
  readonly trace: readonly string[] | undefined;
  /** Path of the log of --debug. */
  readonly log: string | undefined;
}

export function failureText({ code, message, why, causes, next, manifest, trace = [], log }: ToldFailure): string {
  const lines = [
    `Error ${code}: ${message}`,
    `  Why: ${why}`,
    ...causes.map((cause) => `  - ${cause}`),
    ...next.map((step) => `  Next: ${step}`),
    ...(manifest === undefined ? [] : ['The manifest for `kubectl apply -f -`:', '', ...manifest.split('\n')]),
    ...(log === undefined ? [] : [`  Log: ${log}`]),
    ...trace,
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

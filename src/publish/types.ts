/** The plan: what a run will do, as one object for the review, --dry-run, the JSON and the run itself. */
import type { Finding } from '../errors.ts';
import type { Readability } from '../oss/types.ts';
import type { ImageRequirement } from '../script/types.ts';

/** What a command brings besides answers. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly toolVersion: string;
  /** --yes, or yes in the wizard. */
  readonly consented: boolean;
  /** False for a dry run or without consent: then nothing but reads leaves this process. */
  readonly mayWrite: boolean;
  /** Value of --confirm: the name of what is hard to take back. */
  readonly confirmed: string | undefined;
  /** Shows what a credential plugin of the kubeconfig says while it runs. */
  readonly onPluginOutput: (text: string) => void;
  /** Keeps a copy of the script (--output-file). */
  readonly saveScript?: (text: string) => Promise<void>;
}

export const stepIds = ['history', 'token', 'policy', 'upload', 'switch', 'complete'] as const;
export type StepId = (typeof stepIds)[number];

/** One effect, in the order in which it happens. */
export interface Step {
  readonly id: StepId;
  readonly action: 'create' | 'update' | 'keep';
  /** What changes, as a noun with its name: `Secret kube-system/bootstrap-token-abcdef`. */
  readonly what: string;
  /** What is checked afterwards. */
  readonly verifies: string;
  /** How it is taken back if a later step fails. */
  readonly undo: string;
}

/** A value that was decided, and by whom. */
export interface DecidedValue {
  readonly name: string;
  readonly value: string;
  readonly source: string;
}

/** Safe to print: the secret half of the token is not in it. */
export interface Plan {
  readonly context: string;
  readonly clusterName: string;
  readonly values: readonly DecidedValue[];
  readonly script: { readonly digest: string; readonly size: number };
  /** What addNodeScriptPath will hold. */
  readonly url: string;
  /** Undefined with --script-url. */
  readonly object: { readonly bucket: string; readonly key: string } | undefined;
  /** False while --script-url gives something else: then the token is made, and the switch waits for another run. */
  readonly served: boolean;
  /** Undefined when the user's own join command is used. */
  readonly tokenId: string | undefined;
  readonly live: { readonly url: string | undefined; readonly ours: boolean };
  readonly readability: Readability;
  readonly steps: readonly Step[];
  /** False: everything is as it should be, and a run makes no change. */
  readonly changes: boolean;
  /** Warnings and notes; what stops has stopped already. */
  readonly findings: readonly Finding[];
  readonly imageRequirements: readonly ImageRequirement[];
}

export interface Progress {
  started(id: StepId, what: string): void;
  done(id: StepId, what: string): void;
  failed(id: StepId, what: string): void;
}

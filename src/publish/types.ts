/** The plan: what a run will do, as one object for the review, --dry-run, the JSON and the run itself. */
import type { BucketFacts, Readability, Target } from '../oss/types.ts';

export interface Step {
  /** Stable name for JSON: `token`, `upload`, … */
  readonly id: 'history' | 'token' | 'policy' | 'upload' | 'switch' | 'complete';
  /** `create`, `update`, or `keep` when nothing changes. */
  readonly action: 'create' | 'update' | 'keep';
  readonly what: string;
  readonly verifies: string;
  readonly undo: string;
}

export interface Publication {
  readonly url: string;
  readonly key: string | undefined;
  readonly digest: string;
  readonly tokenId: string | undefined;
}

export interface PlanTarget {
  readonly target: Target;
  readonly facts: BucketFacts;
  readonly readability: Readability;
}

/** What every command gets from the command line besides its answers. */
import type { Output } from '../output/terminal.ts';

/** Flags that are no answers (DESIGN.md section 6). */
export interface CommonFlags {
  readonly output?: 'text' | 'json';
  readonly config?: string;
  readonly quiet?: boolean;
  readonly debug?: boolean;
  readonly color?: boolean;
  readonly sandbox?: boolean;
}

export interface Run {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly output: Output;
}

export type Flags = Readonly<Record<string, unknown>> & CommonFlags;

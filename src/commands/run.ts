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

/** Where somebody may sit. */
export interface Terminals {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export interface Run {
  /** How the program was called: `ackone-join`, or `kubectl ackone_join`. */
  readonly programName: string;
  /** Puts that name into a text with commands. */
  readonly asCalled: (text: string) => string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly output: Output;
  /** Undefined when nobody can be asked, as in a test. */
  readonly terminals?: Terminals | undefined;
}

export type Flags = Readonly<Record<string, unknown>> & CommonFlags;

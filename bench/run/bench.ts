import type { Figure } from './result.ts';

/** Number and duration of the rounds. */
export type BenchOptions = { readonly rounds: number; readonly roundMs: number };

/** A benchmark: `npm run bench -- <name>`. */
export type Bench = {
  /** The comparison, in one sentence. */
  readonly purpose: string;
  /** Prints its progress and returns the figures. */
  readonly run: (options: BenchOptions) => Promise<readonly Figure[]>;
};

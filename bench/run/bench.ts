import type { Figure } from './result.ts';

/** How long and how often a benchmark measures. */
export type BenchOptions = { readonly rounds: number; readonly roundMs: number };

/** A benchmark: `npm run bench -- <name>`. */
export type Bench = {
  /** What is compared with what, in one sentence. */
  readonly purpose: string;
  /** Prints what it measures as it goes, and returns the figures. */
  readonly run: (options: BenchOptions) => Promise<readonly Figure[]>;
};

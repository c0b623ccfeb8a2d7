/** How long and how often a benchmark measures. */
export type BenchOptions = { readonly rounds: number; readonly roundMs: number };

/** A benchmark: `npm run bench -- <name>`. */
export type Bench = {
  /** What is compared with what, in one sentence. */
  readonly purpose: string;
  readonly run: (options: BenchOptions) => Promise<void>;
};

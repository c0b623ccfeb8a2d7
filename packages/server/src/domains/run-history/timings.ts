import type { StepResult, StepUsage } from '../../doors/run-sql/index.ts';

/** One statement of a run, as its record keeps it. */
export type StatementTiming = StepUsage & {
  readonly name: string;
  readonly dataSourceId: number;
  readonly outcome: 'Succeeded' | 'Failed' | 'NotRun';
  readonly rowCount: number;
  /** Since the query was asked. */
  readonly startedMs: number;
  readonly tookMs: number;
};

/** What the time of a run's query went into. */
export type RunTimings = {
  readonly askedAt: string;
  /** Null for a query that gave no result. */
  readonly maskingMs: number | null;
  readonly statements: readonly StatementTiming[];
};

/** What is kept of a query that ended, or of the refusal that it ended with: never its text, never a value. */
export const timingsOf = (
  askedAt: Date,
  ended: { readonly stepResults: readonly StepResult[]; readonly maskingMs?: number },
): RunTimings => ({
  askedAt: askedAt.toISOString(),
  maskingMs: ended.maskingMs ?? null,
  statements: ended.stepResults.map(
    ({ name, dataSourceId, outcome, rowCount, startedMs, executionTimeMs, usage }) => ({
      ...{ name, dataSourceId: Number(dataSourceId), outcome, rowCount, startedMs, tookMs: executionTimeMs },
      ...usage,
    }),
  ),
});

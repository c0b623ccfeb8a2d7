import type { StepResult, StepUsage } from '../../gateways/run-sql/index.ts';

/** Timing of one statement, as a run stores it. */
export type StatementTiming = StepUsage & {
  readonly name: string;
  readonly dataSourceId: number;
  readonly outcome: 'Succeeded' | 'Failed' | 'NotRun';
  readonly rowCount: number;
  /** Milliseconds since the start of the query. */
  readonly startedMs: number;
  readonly tookMs: number;
};

/** Timing of a run's query. */
export type RunTimings = {
  readonly askedAt: string;
  /** Null for a query without a result. */
  readonly maskingMs: number | null;
  readonly statements: readonly StatementTiming[];
};

/** Returns the stored timing of a query that ended or was refused. It contains neither the query text nor values. */
export const timingsOf = (
  askedAt: Date,
  ended: { readonly stepResults: readonly StepResult[]; readonly maskingMs?: number },
): RunTimings => ({
  askedAt: askedAt.toISOString(),
  maskingMs: ended.maskingMs ?? null,
  statements: ended.stepResults.map(
    ({ name, dataSourceId, outcome, rowCount, startedMs, executionTimeMs, usage }) => ({
      name,
      dataSourceId: Number(dataSourceId),
      outcome,
      rowCount,
      startedMs,
      tookMs: executionTimeMs,
      ...usage,
    }),
  ),
});

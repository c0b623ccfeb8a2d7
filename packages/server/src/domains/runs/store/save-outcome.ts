import type { AlertNews } from '@svc/contract';
import type { RunKey } from '../../../gateways/send/index.ts';
import type { Executor } from '../../../platform/db/index.ts';
import type { Assessment } from '../../anomalies/index.ts';
import type { RunTimings } from '../../run-history/index.ts';

/** Outcome of a query. Counts and times are null after a timeout. */
export type QueryOutcome = {
  readonly executionTimeMs: number | null;
  /** Null if they are stored already. */
  readonly timings: RunTimings | null;
  readonly resultCount: number | null;
  /** Number of rows without a recipient; null when every recipient gets all rows. */
  readonly unroutedCount: number | null;
  readonly previousResultCount: number | null;
  readonly storedResults: string | null;
  readonly messageSealed: string | null;
  /** Null when counts are not watched, or too few exist. */
  readonly assessment: Assessment | null;
  /** Change of the alert in its message; null: none. */
  readonly alertNews: AlertNews | null;
  /** Time until which the message is held; null: it is sent immediately. */
  readonly heldUntil: Date | null;
};

/** Stores the outcome of the query, before any notification. */
export async function saveOutcome(executor: Executor, run: RunKey, outcome: QueryOutcome): Promise<void> {
  await executor.query({
    name: 'runs-save-execution',
    text: `update svc.runs set execution_time_ms = $3, result_count = $4, previous_result_count = $5,
        stored_results = $6, message_sealed = $7, expected_lower = $8, expected_upper = $9,
        anomaly_direction = $10, anomaly_severity = case when $10::text is not null then $11 end,
        anomaly_explanation = case when $10::text is not null then $12 end,
        execution = coalesce($13, execution), alert_news = $14,
        held_until = $15, held_at = case when $15::timestamptz is not null then now() end,
        unrouted_count = $16 where id = $1 and due_at = $2`,
    values: [
      run.id,
      run.dueAt,
      outcome.executionTimeMs,
      outcome.resultCount,
      outcome.previousResultCount,
      outcome.storedResults,
      outcome.messageSealed,
      outcome.assessment?.lower ?? null,
      outcome.assessment?.upper ?? null,
      outcome.assessment?.flagged ?? null,
      outcome.assessment?.severity ?? null,
      outcome.assessment?.explanation ?? null,
      outcome.timings && JSON.stringify(outcome.timings),
      outcome.alertNews,
      outcome.heldUntil,
      outcome.unroutedCount,
    ],
  });
}

/** Stores the timing of a failed query. */
export async function saveTimings(executor: Executor, run: RunKey, timings: RunTimings): Promise<void> {
  await executor.query({
    name: 'runs-save-timings',
    text: 'update svc.runs set execution = $3 where id = $1 and due_at = $2',
    values: [run.id, run.dueAt, JSON.stringify(timings)],
  });
}

/**
 * Stores the sources and the version of a run before it reads them. The sources decide who may see the run. The version
 * identifies the SQL.
 */
export async function saveSources(
  executor: Executor,
  run: RunKey,
  sources: { readonly dataSourceIds: readonly number[]; readonly versionId: number | null },
): Promise<void> {
  await executor.query({
    name: 'runs-save-sources',
    text: 'update svc.runs set data_source_ids = $3, query_version_id = $4 where id = $1 and due_at = $2',
    values: [run.id, run.dueAt, sources.dataSourceIds, sources.versionId],
  });
}

import { defineJob, type Jobs } from '@svc/jobs';
import type { Executor } from '../../platform/db/index.ts';

const foldCounts = defineJob<null>({
  name: 'fold-run-counts',
  queue: 'maintenance',
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});
const foldedAtOnce = 20_000;

/** Condition on `status` for runs that ended as expected. */
export const good = `status in ('Sent', 'Silenced', 'NoResults', 'BelowThreshold')`;
/** Condition on `status` for runs that failed. */
export const failed = `status in ('Failed', 'Timeout')`;

/**
 * Adds ended runs to the counts of their days. One statement deletes the open counts and adds them. A concurrent reader
 * therefore counts each run exactly once. Returns the number of added runs.
 */
export async function foldRunCounts(executor: Executor, limit = foldedAtOnce): Promise<number> {
  const { rows } = await executor.query<{ folded: number }>({
    name: 'run-counts-fold',
    text: `with taken as (
        delete from svc.run_counts_open where id in (
          select id from svc.run_counts_open order by id limit $1 for update skip locked)
        returning *),
      days as (
        insert into svc.run_days as d (day, subscription_id, contract_id, query_id, project_id, data_source_ids, runs,
            judged, good, failed, anomalies, last_good_at, last_failed_at)
          select day, subscription_id, contract_id, query_id, project_id, data_source_ids, count(*),
            count(*) filter (where status <> 'Skipped'), count(*) filter (where ${good}),
            count(*) filter (where ${failed}), count(*) filter (where is_anomaly),
            max(ended_at) filter (where ${good}), max(ended_at) filter (where ${failed})
          from taken group by 1, 2, 3, 4, 5, 6
        on conflict on constraint run_days_key do update set runs = d.runs + excluded.runs,
          judged = d.judged + excluded.judged, good = d.good + excluded.good, failed = d.failed + excluded.failed,
          anomalies = d.anomalies + excluded.anomalies, last_good_at = greatest(d.last_good_at, excluded.last_good_at),
          last_failed_at = greatest(d.last_failed_at, excluded.last_failed_at)),
      totals as (
        insert into svc.run_totals as t (day, project_id, data_source_ids, status, runs)
          select day, project_id, data_source_ids, status, count(*) from taken group by 1, 2, 3, 4
        on conflict (day, project_id, data_source_ids, status) do update set runs = t.runs + excluded.runs)
      select count(*) as folded from taken`,
    values: [limit],
  });
  return rows[0]?.folded ?? 0;
}

/** Creates the job that adds open counts to the daily counts. */
export function createFoldJobs({ jobs, executor }: { readonly jobs: Jobs; readonly executor: Executor }) {
  jobs.handle(foldCounts, async (_payload, { signal }) => {
    while (!signal.aborted) if ((await foldRunCounts(executor)) < foldedAtOnce) return;
  });
  return {
    /** Registers the recurring job. Call it at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:fold-run-counts',
        cron: '*/10 * * * * *',
        timeZone: 'UTC',
        job: foldCounts,
        payload: null,
      });
    },
  };
}

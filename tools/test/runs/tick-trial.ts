import type { RunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { startWorker } from './start-worker.ts';
import { workerValues } from './worker-values.ts';

/** Result of a tick trial. Some members must be 0, as noted. */
export type TickTrialReport = {
  /** Due times between the first run and the last. */
  readonly ticks: number;
  readonly runs: number;
  /** Runs beyond the first of a due time. Must be 0. */
  readonly doubled: number;
  /** Runs beyond the first of their job. Must be 0. */
  readonly doubledJobs: number;
  /** Runs at times that are not due times of the schedule. Must be 0. */
  readonly offSchedule: number;
  /** Messages beyond the first of a due time. Must be 0. */
  readonly doubledMessages: number;
  /** Due times that passed while the previous run was open, as recorded among the missed runs. */
  readonly skipped: number;
  /** Due times without a run and without such a record. Must be 0. */
  readonly missing: number;
  /** Messages that arrived, and runs that were sent. */
  readonly arrived: number;
  readonly sent: number;
  /** Runs by the process that executed them. */
  readonly byProcess: readonly number[];
};

const everySeconds = 2;
const leaseMs = 5_000;

/** Runs a two-second schedule with two processes on one database. Each due time must have one run. */
export async function tickRuns(
  fixture: RunFixture,
  options: { readonly ticks: number; readonly onTick?: (ticks: number) => void },
): Promise<TickTrialReport> {
  const settings = {
    connection: fixture.svc.testDatabase.connection,
    values: workerValues(fixture.sink.settings),
    leaseMs,
  };
  const workers = await Promise.all([startWorker(settings), startWorker(settings)]);
  try {
    const { id } = await fixture.addSubscription({
      queryId: await fixture.addQuery('select id from orders'),
      recipientIds: [await fixture.addRecipient('/tick')],
      cronExpression: `*/${everySeconds} * * * * *`,
      notificationTrigger: 'Always',
    });
    for (let ticks = 1; ticks <= options.ticks; ticks += 1) {
      await until(`tick ${ticks}`, async () => {
        const { rowCount } = await fixture.svc.database.query('select from svc.runs');
        return (rowCount ?? 0) >= ticks ? true : undefined;
      });
      options.onTick?.(ticks);
    }
    await fixture.root.delete(`/svc/api/subscriptions/${id}`);
    await until('the end of every run', async () => {
      const { rows } = await fixture.svc.database.query("select from svc.runs where status = 'Created'");
      return rows.length === 0 ? true : undefined;
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  const { rows } = await fixture.svc.database.query(
    `select (extract(epoch from max(due_at) - min(due_at)) / $1 + 1)::int as ticks, count(*)::int as runs,
       (count(*) - count(distinct due_at))::int as doubled, (count(*) - count(distinct job_id))::int as "doubledJobs",
       count(*) filter (where extract(epoch from due_at)::numeric % $1 <> 0)::int as "offSchedule", count(*) filter (where status = 'Sent')::int as sent,
       (select coalesce(sum(m.missed_count), 0)::int from svc.missed_runs m
         where m.first_due_at <= max(due_at) and m.last_due_at >= min(due_at)) as skipped,
       (select array_agg(n) from (select count(*)::int as n from svc.runs r join svc_jobs.job j on j.id = r.job_id group by j.worker_id) p) as "byProcess"
     from svc.runs`,
    [everySeconds],
  );
  const totals = rows[0];
  const missing = totals.ticks - (totals.runs - totals.doubled) - totals.skipped;
  const arrived = fixture.sink.received.length;
  return { ...totals, missing, arrived, doubledMessages: arrived - (await countSlotsThatArrived(fixture)) };
}

/** Returns the number of due times with at least one arrived message. */
async function countSlotsThatArrived({ svc, sink }: RunFixture): Promise<number> {
  const ids = sink.received.map(({ text }) => Number(/\/notifications\/(\d+)/.exec(text)?.[1]));
  const { rows } = await svc.database.query(
    'select count(distinct due_at)::int as count from svc.runs where id = any($1::bigint[])',
    [ids],
  );
  return rows[0].count;
}

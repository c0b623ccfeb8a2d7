import type { Received } from '@svc/testkit/runs/webhook-sink.ts';
import type { RestartableDatabase } from './restartable-database.ts';

/** Result for the slots of a trial. Every member except the first three must be 0. */
export type SlotAccount = {
  readonly runs: number;
  readonly evaluations: number;
  readonly copies: number;
  /** Runs, evaluations and copies beyond the first of their slot. */
  readonly doubledSlots: number;
  /** Runs beyond the first of their job. */
  readonly doubledJobs: number;
  /** Runs, evaluations and copies at times that are not due times of their schedule. */
  readonly offSchedule: number;
  /** Slots with a run that are also recorded as skipped. */
  readonly runAndSkipped: number;
  /** Runs that were closed as interrupted, because no job resumed them. */
  readonly interrupted: number;
  /** Runs, evaluations and copies that have not ended. */
  readonly open: number;
  /** Messages beyond the first of their slot and recipient. A delivery that is stored as `Unknown` excuses them. */
  readonly doubledMessages: number;
  /** Runs that are `Sent` in the ledger and whose message never arrived. */
  readonly neverArrived: number;
  /** Difference between the rows at the destination and the rows of the completed copies. */
  readonly wrongRows: number;
};

const started = `(
  select 'run' as kind, subscription_id as subject, due_at as at, finished_at from svc.runs where origin = 'Schedule'
    and subscription_id is not null
  union all
  select 'evaluation', contract_id, created_time, finished_at from svc.contract_evaluations where trigger = 'Schedule'
  union all
  select 'copy', migration_job_id, created_time, finished_at from svc.migration_executions where trigger = 'Schedule')`;

/** Lease, sweep and all waits between attempts, and a reserve for a busy machine. */
const settleMsMax = 400_000;
const lookAgainMs = 200;

/** Waits until every job and all started work has ended. */
async function settle(database: RestartableDatabase): Promise<void> {
  const endMs = performance.now() + settleMsMax;
  while (performance.now() < endMs) {
    const { rowCount } = await database.query(`
      select from ${started} s where s.finished_at is null
      union all
      select from svc_jobs.job where state not in ('Completed', 'Failed', 'Cancelled')
        and queue in ('runs', 'contracts', 'migrations')`);
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

/** Counts messages beyond the first of a slot and recipient, and sent runs without a message. */
async function accountForMessages(database: RestartableDatabase, received: readonly Received[]) {
  const { rows } = await database.query(
    `select r.id::int, r.subscription_id || ' ' || r.due_at || ' ' || d.recipient_id as "slotAndRecipient",
       bool_or(d.state = 'Unknown') as "isUnknown", bool_or(d.state = 'Sent') as "isSent"
     from svc.runs r join svc.deliveries d on d.run_id = r.id and d.run_due_at = r.due_at
     where r.subscription_id is not null group by r.id, r.subscription_id, r.due_at, d.recipient_id`,
  );
  const arrivals = new Map<number, number>();
  for (const { text } of received) {
    const id = Number(/\/notifications\/(\d+)/.exec(text)?.[1]);
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
  }
  let doubledMessages = 0;
  const bySlot = Map.groupBy(rows, (row) => String(row.slotAndRecipient));
  for (const runs of bySlot.values()) {
    const count = runs.reduce((sum, { id }) => sum + (arrivals.get(id) ?? 0), 0);
    if (!runs.some(({ isUnknown }) => isUnknown)) doubledMessages += Math.max(0, count - 1);
  }
  return {
    doubledMessages,
    neverArrived: rows.filter(({ id, isSent }) => isSent && !arrivals.has(id)).length,
  };
}

/**
 * Waits for the end of all scheduled work, and counts it by slot, by job and at the sink.
 *
 * @param options.rowsPerCopy  Rows that each completed copy adds to `orders_copy`.
 */
export async function accountForSlots(
  database: RestartableDatabase,
  received: readonly Received[],
  options: {
    readonly everySeconds: number;
    readonly rowsPerCopy: number;
    readonly copiedRows: () => Promise<number>;
  },
): Promise<SlotAccount> {
  await settle(database);
  const { rows } = await database.query(
    `select count(*) filter (where kind = 'run')::int as runs,
       count(*) filter (where kind = 'evaluation')::int as evaluations, count(*) filter (where kind = 'copy')::int as copies,
       (count(*) - count(distinct (kind, subject, at)))::int as "doubledSlots",
       count(*) filter (where extract(epoch from at)::numeric % $1 <> 0)::int as "offSchedule",
       count(*) filter (where finished_at is null)::int as open,
       (select count(*) - count(distinct job_id) from svc.runs where origin = 'Schedule' and subscription_id is not null)::int
         as "doubledJobs",
       (select count(*) from svc.runs r join svc.skipped_slots k on k.subscription_id = r.subscription_id
         and k.slot_at = r.due_at where r.origin = 'Schedule')::int as "runAndSkipped",
       (select count(*) from svc.runs where reason = 'Interrupted')::int as interrupted,
       (select count(*) from svc.migration_executions where status = 'Completed')::int as completed
     from ${started} s`,
    [options.everySeconds],
  );
  const { completed, ...counts } = rows[0];
  const wrongRows = Math.abs((await options.copiedRows()) - completed * options.rowsPerCopy);
  return { ...counts, wrongRows, ...(await accountForMessages(database, received)) };
}

import type { Received } from '@svc/testkit/runs/webhook-sink.ts';
import type { RestartableDatabase } from './restartable-database.ts';
import type { Written } from './writers.ts';

/** Comparison of requested, stored and received runs. Some members must be 0, as noted. */
export type RunAccount = {
  readonly runs: number;
  /** Runs that were answered with 202 and are not stored, or that have not ended. Must be 0. */
  readonly lostRuns: number;
  /** Runs without a request, and scheduled runs beyond the first of their slot or job. Must be 0. */
  readonly doubledRuns: number;
  /** Runs that arrived more than once without a stored `Unknown`. Must be 0. */
  readonly sentTwice: number;
  /** Runs that are `Sent` in the ledger and never arrived. Must be 0. */
  readonly neverArrived: number;
  /** Runs by final status. */
  readonly statuses: Readonly<Record<string, number>>;
};

/** A lease and a sweep (40 s), all waits between attempts (141 s in total), and a reserve for a busy machine. */
const settleMsMax = 300_000;
const lookAgainMs = 100;

type Row = {
  id: number;
  status: string;
  origin: string;
  /** Subscription and slot. */
  slot: string;
  jobId: string;
  states: string[];
};

/** Waits for the end of every run, and compares the stored runs with arrivals and answers. */
export async function accountForRuns(
  database: RestartableDatabase,
  received: readonly Received[],
  written: Written,
): Promise<RunAccount> {
  const endMs = performance.now() + settleMsMax;
  const hasRunning = async () =>
    (await database.query("select from svc.runs where status = 'Created'")).rowCount !== 0;
  while ((await hasRunning()) && performance.now() < endMs)
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  const { rows }: { rows: Row[] } = await database.query(
    `select r.id::int, r.status, r.origin, r.subscription_id || ' ' || r.due_at as slot,
       r.job_id::text as "jobId",
       array(select d.state from svc.deliveries d where d.run_id = r.id) as states
     from svc.runs r`,
  );
  const arrivals = new Map<number, number>();
  for (const { text } of received) {
    const id = Number(/\/notifications\/(\d+)/.exec(text)?.[1]);
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
  }
  const isStored = new Set(rows.map(({ id }) => id));
  const started = rows.filter(({ origin }) => origin === 'Test');
  const ticks = rows.filter(({ origin }) => origin === 'Schedule');
  const doubledBy = (key: (row: Row) => string): number => ticks.length - new Set(ticks.map(key)).size;
  const unasked = started.length - written.runs.size - written.unclearRuns;
  const statuses: Record<string, number> = {};
  for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    runs: rows.length,
    lostRuns:
      [...written.runs].filter((id) => !isStored.has(id)).length +
      rows.filter(({ status }) => status === 'Created').length,
    doubledRuns: Math.max(0, unasked) + doubledBy(({ slot }) => slot) + doubledBy(({ jobId }) => jobId),
    sentTwice: rows.filter(({ id, states }) => (arrivals.get(id) ?? 0) > 1 && !states.includes('Unknown'))
      .length,
    neverArrived: rows.filter(({ id, states }) => states.includes('Sent') && !arrivals.has(id)).length,
    statuses,
  };
}

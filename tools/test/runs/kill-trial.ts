import type { RunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { startWorker, type WorkerProcess } from './start-worker.ts';
import { workerValues } from './worker-values.ts';

/** Result of a kill trial. Some members must be 0, as noted. */
export type KillTrialReport = {
  /** Statuses whose stored count of ended runs differs from the number of such runs. Must be 0. */
  wrongTotals: number;
  readonly kills: number;
  readonly runs: number;
  /** Runs that have not ended, or that lack a delivery for one of their recipients. Must be 0. */
  readonly lostRuns: number;
  /** Pairs of run and recipient with more than one message. */
  readonly sentTwice: number;
  /** Such pairs without a stored `Unknown`. Must be 0. */
  readonly sentTwiceUnexplained: number;
  /** Deliveries that arrived without an entry in the ledger. Must be 0. */
  readonly unrecorded: number;
  /** Deliveries that are `Sent` in the ledger and never arrived. Must be 0. */
  readonly neverArrived: number;
  /** Deliveries that a crash interrupted. */
  readonly unknown: number;
  /** Runs by final status. */
  readonly statuses: Readonly<Record<string, number>>;
};

const subscriptionCount = 4;
const recipientsEach = 5;
const aliveMsMax = 900;
const leaseMs = 1_500;

type LedgerRow = { runId: number; recipientId: number; state: string };

/** Starts runs, kills the process that executes them at a random moment, and starts another process; repeatedly. */
export async function killRuns(
  fixture: RunFixture,
  options: { readonly kills: number; readonly onKill?: (kills: number) => void },
): Promise<KillTrialReport> {
  const settings = {
    connection: fixture.svc.testDatabase.connection,
    values: workerValues(fixture.sink.settings),
    leaseMs,
  };
  const queryId = await fixture.addQuery('select id, email from orders, pg_sleep(0.1)');
  const recipientOfPath = new Map<string, number>();
  const subscriptionIds: number[] = [];
  for (let at = 0; at < subscriptionCount; at += 1) {
    const paths = Array.from({ length: recipientsEach }, (_, index) => `/kill/${at}/${index}`);
    for (const path of paths) recipientOfPath.set(path, await fixture.addRecipient(path));
    const recipientIds = paths.flatMap((path) => recipientOfPath.get(path) ?? []);
    const subscription = { queryId, recipientIds, notificationTrigger: 'Always' };
    subscriptionIds.push((await fixture.addSubscription(subscription)).id);
  }

  let worker: WorkerProcess = await startWorker(settings);
  try {
    for (let kills = 1; kills <= options.kills; kills += 1) {
      for (const id of subscriptionIds) await fixture.root.post(`/svc/api/subscriptions/${id}/test-run`);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * aliveMsMax));
      await worker.kill();
      worker = await startWorker(settings);
      options.onKill?.(kills);
    }
    await until('the end of every run', async () => {
      const { rows } = await fixture.svc.database.query("select from svc.runs where status = 'Created'");
      return rows.length === 0 ? true : undefined;
    }).catch(() => undefined);
  } finally {
    await worker.stop();
  }
  return { kills: options.kills, ...(await account(fixture, recipientOfPath)) };
}

/** Compares the arrivals at the sink with the records of the service. */
async function account(
  fixture: RunFixture,
  recipientOfPath: ReadonlyMap<string, number>,
): Promise<Omit<KillTrialReport, 'kills'>> {
  const { rows: runs } = await fixture.svc.database.query<{ id: number; status: string }>(
    'select id::int, status from svc.runs',
  );
  const { rows: ledger } = await fixture.svc.database.query<LedgerRow>(
    'select run_id::int as "runId", recipient_id as "recipientId", state from svc.deliveries',
  );
  // Counts of ended runs, both folded into totals and still open.
  const { rows: counted } = await fixture.svc.database.query<{ status: string; runs: number }>(
    `select status, sum(runs)::int as runs from (
       select status, runs from svc.run_totals union all select status, 1 from svc.run_counts_open) c group by status`,
  );
  const arrivals = new Map<string, number>();
  for (const { path, text } of fixture.sink.received) {
    const runId = /\/notifications\/(\d+)/.exec(text)?.[1];
    const key = `${runId} ${recipientOfPath.get(path)}`;
    arrivals.set(key, (arrivals.get(key) ?? 0) + 1);
  }
  const keyOf = (row: LedgerRow) => `${row.runId} ${row.recipientId}`;
  const recorded = new Set(ledger.map(keyOf));
  const unknown = new Set(ledger.filter(({ state }) => state === 'Unknown').map(keyOf));
  const twice = [...arrivals].filter(([, count]) => count > 1).map(([key]) => key);
  const isComplete = (run: { id: number; status: string }) =>
    run.status !== 'Created' && ledger.filter(({ runId }) => runId === run.id).length === recipientsEach;
  const statuses: Record<string, number> = {};
  for (const { status } of runs) statuses[status] = (statuses[status] ?? 0) + 1;
  const wrongTotals = [...new Set([...Object.keys(statuses), ...counted.map(({ status }) => status)])].filter(
    (status) =>
      status !== 'Created' && statuses[status] !== counted.find((count) => count.status === status)?.runs,
  ).length;
  return {
    runs: runs.length,
    wrongTotals,
    lostRuns: runs.filter((run) => !isComplete(run)).length,
    sentTwice: twice.length,
    sentTwiceUnexplained: twice.filter((key) => !unknown.has(key)).length,
    unrecorded: [...arrivals.keys()].filter((key) => !recorded.has(key)).length,
    neverArrived: ledger.filter((row) => row.state === 'Sent' && !arrivals.has(keyOf(row))).length,
    unknown: unknown.size,
    statuses,
  };
}

import type { RunKey } from '../../gateways/send/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { lockAgainstWatchdog, uncountMissed } from '../missed-runs/index.ts';

/** Statement timeout of the server, in seconds. After it, an earlier statement is committed or never will be. */
const statementSecondsMax = 20;

type Starting = RunKey & { readonly subscriptionId: number };

/**
 * Records the start of a run. The time of its first start does not change. A scheduled run that starts around the end
 * of its grace period or later is serialized with the watchdog. Its slot then counts as run, not as missed.
 *
 * @param graceSeconds  `Svc:Subscriptions:MissedRunGraceSeconds`.
 */
export async function markStarted(database: Database, run: Starting, graceSeconds: number): Promise<void> {
  if (await startInTime(database, run, graceSeconds - statementSecondsMax)) return;
  await database.transaction(async (tx) => {
    await lockAgainstWatchdog(tx, run.subscriptionId);
    if (await startLate(tx, run)) await uncountMissed(tx, run.subscriptionId, run.dueAt);
  });
}

async function startInTime(executor: Executor, run: RunKey, withinSeconds: number): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: 'runs-mark-started',
    text: `update svc.runs set started_at = coalesce(started_at, now()), held_until = null
      where id = $1 and due_at = $2
        and (started_at is not null or origin <> 'Schedule' or now() < due_at + $3 * interval '1 second')`,
    values: [run.id, run.dueAt, withinSeconds],
  });
  return rowCount === 1;
}

/** Returns false if another attempt has started the run in the meantime. */
async function startLate(tx: Tx, run: RunKey): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'runs-mark-started-late',
    text: `update svc.runs set started_at = now(), held_until = null
      where id = $1 and due_at = $2 and started_at is null`,
    values: [run.id, run.dueAt],
  });
  return rowCount === 1;
}

import type { RunStatus } from '@svc/contract';
import type { RunKey } from '../../../gateways/send/index.ts';
import type { Executor } from '../../../platform/db/index.ts';

/**
 * Days before a run in which the previous run is searched first. This reads two months of runs; older ones only if
 * needed.
 */
const nearDays = 31;

type EarlierRun = {
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly resultCount: number | null;
  readonly unroutedCount: number | null;
};

/** Finds the last earlier run of a subscription with an outcome. */
async function runBefore(
  executor: Executor,
  subscriptionId: number,
  { id, dueAt }: RunKey,
  mustHaveCount: boolean,
): Promise<EarlierRun | undefined> {
  const near = new Date(dueAt.getTime() - nearDays * 86_400_000);
  // A run with a held message has its outcome, although it has not ended.
  const condition = `subscription_id = $1 and id < $2 and status <> 'Skipped'
    and (status <> 'Created' or held_until is not null)
    and (not $3 or result_count is not null)`;
  for (const [name, bound] of [
    ['near', 'due_at >= $4'],
    ['far', 'due_at < $4'],
  ] as const) {
    const { rows } = await executor.query<EarlierRun>({
      name: `runs-before-${name}`,
      text: `select status, reason, result_count as "resultCount", unrouted_count as "unroutedCount" from svc.runs
        where ${condition} and ${bound} order by due_at desc, id desc limit 1`,
      values: [subscriptionId, id, mustHaveCount, near],
    });
    if (rows[0]) return rows[0];
  }
  return undefined;
}

/** Returns the row count of the last earlier run that was not skipped and has a count. */
export async function previousResultCount(
  executor: Executor,
  subscriptionId: number,
  run: RunKey,
): Promise<number | null> {
  return (await runBefore(executor, subscriptionId, run, true))?.resultCount ?? null;
}

/** Returns true if the previous run also had rows without a recipient. */
export async function wasUnrouted(executor: Executor, subscriptionId: number, run: RunKey): Promise<boolean> {
  return ((await runBefore(executor, subscriptionId, run, true))?.unroutedCount ?? 0) > 0;
}

/** Returns true if the previous run ended in the same way, so that its notification covers this run. */
export async function isRepetition(
  executor: Executor,
  subscriptionId: number,
  run: RunKey,
  ended: { readonly status: RunStatus; readonly reason: string | null },
): Promise<boolean> {
  const before = await runBefore(executor, subscriptionId, run, false);
  return before?.status === ended.status && before.reason === ended.reason;
}

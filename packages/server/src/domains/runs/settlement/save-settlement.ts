import type { Database, Tx } from '../../../platform/db/index.ts';
import { saveAlert } from '../../alerts/index.ts';
import { type FrozenMessages, saveOwnMessages } from '../../run-messages/index.ts';
import type { RunEnding } from '../ending.ts';
import type { QueryResult, QueryTimeout } from '../execute-query.ts';
import { messageForAll } from '../send-messages.ts';
import { setJob } from '../store/create-run.ts';
import type { RunToExecute } from '../store/load-run.ts';
import { saveOutcome } from '../store/save-outcome.ts';
import { lockState } from './read-state.ts';
import { settle } from './settle.ts';
import type { RunState, Settlement } from './settlement.ts';

export type SaveSettlementDeps = {
  readonly database: Database;
  readonly messages: Pick<FrozenMessages, 'seal'>;
  readonly ending: RunEnding;
  /** Schedules the resumption of a run, in the transaction that defers its message. @returns the id of the job. */
  readonly resumeAt: (tx: Tx, run: RunToExecute, at: Date) => Promise<string>;
};

/**
 * Settles a run and stores the whole settlement in one transaction, before any notification.
 *
 * The transaction first locks the alert and the held runs, and `settle` decides under these locks. An acknowledgement
 * of the alert or the end of a held run therefore happens before or after the settlement. The alternative is to settle
 * again after a detected change. It needs a version of each state, and the locks exist anyway for the writes.
 */
export async function settleInTransaction(
  deps: SaveSettlementDeps,
  run: RunToExecute,
  result: QueryResult | QueryTimeout,
  state: RunState,
): Promise<Settlement> {
  const { settlement, announcements } = await deps.database.transaction(async (tx) => {
    const locked = await lockState(tx, run, result, state.now);
    const decided = settle(run, result, { ...state, ...locked });
    return { settlement: decided, announcements: await saveSettlement(deps, tx, run, decided) };
  });
  for (const announce of announcements) announce();
  return settlement;
}

/** Stores each member of a settlement. @returns the announcements of ended runs, to be called after the commit. */
async function saveSettlement(
  { messages, ending, resumeAt }: SaveSettlementDeps,
  tx: Tx,
  run: RunToExecute,
  { next, outcome, ownMessages, alert, stagedMemory, supersededRuns }: Settlement,
): Promise<(() => void)[]> {
  const announcements: (() => void)[] = [];
  if (alert !== null) await saveAlert(tx, { kind: 'Subscription', id: run.subscriptionId }, alert);
  await saveOutcome(tx, run, {
    ...outcome,
    messageSealed: next.kind === 'End' ? null : messages.seal(messageForAll(run), next.message),
    heldUntil: next.kind === 'Hold' ? next.until : null,
  });
  if (ownMessages !== null) await saveOwnMessages(tx, run, ownMessages, messages.seal);
  await stagedMemory?.stage(tx, run.id);
  for (const earlier of supersededRuns)
    announcements.push(await ending.endIn(tx, earlier, 'Silenced', { reason: 'Superseded' }));
  if (next.kind === 'Hold') await setJob(tx, run, await resumeAt(tx, run, next.until));
  if (next.kind === 'End') announcements.push(await ending.endIn(tx, run, next.status, next.reason));
  return announcements;
}

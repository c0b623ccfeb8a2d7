import type { RunStatus } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import { discardStaged, promoteStaged } from './store.ts';

/** End of a run that has rows to remember. */
export type EndOfRun = {
  readonly subscriptionId: number;
  readonly runId: number;
  readonly status: Exclude<RunStatus, 'Created'>;
  readonly reason: string | null;
  /** True: messages were sent, or may have been sent. Failed ones can be sent again. */
  readonly hasDeliveries: boolean;
};

const unsentReasons: ReadonlySet<string> = new Set(['Snoozed', 'Superseded', 'NothingRouted']);

/** Returns true if the rows of a run count as known. Rows that were not reported remain new. */
export function areRowsKnown({ status, reason, hasDeliveries }: Omit<EndOfRun, 'subscriptionId' | 'runId'>) {
  switch (status) {
    case 'Skipped':
    case 'Timeout':
      return false;
    case 'Failed':
      return hasDeliveries;
    case 'Sent':
    case 'NoResults':
    case 'BelowThreshold':
    case 'Silenced':
      return reason === null || !unsentReasons.has(reason);
  }
}

/** Stores or discards the staged rows of a run, in the transaction that ends it. */
export const settleMemory = (tx: Tx, run: EndOfRun): Promise<void> =>
  areRowsKnown(run)
    ? promoteStaged(tx, run.subscriptionId, run.runId)
    : discardStaged(tx, run.subscriptionId, run.runId);

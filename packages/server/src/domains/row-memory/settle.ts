import type { RunStatus } from '@svc/contract';
import type { Tx } from '../../platform/db/index.ts';
import { discardStaged, promoteStaged } from './store.ts';

/** How a run ended that had rows to remember. */
export type EndOfRun = {
  readonly subscriptionId: number;
  readonly runId: number;
  readonly status: Exclude<RunStatus, 'Created'>;
  readonly reason: string | null;
  /** Something was sent, or may have been: what failed can be sent again. */
  readonly hasDeliveries: boolean;
};

const untold: ReadonlySet<string> = new Set(['Snoozed', 'Superseded', 'NothingRouted']);

/** Whether the rows of a run count as known: those that nobody was told of stay new. */
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
      return reason === null || !untold.has(reason);
  }
}

/** Keeps or forgets what a run would have its subscription know, in the transaction that ends it. */
export const settleMemory = (tx: Tx, run: EndOfRun): Promise<void> =>
  areRowsKnown(run)
    ? promoteStaged(tx, run.subscriptionId, run.runId)
    : discardStaged(tx, run.subscriptionId, run.runId);

import type { Database } from '../../platform/db/index.ts';
import { markInterruptedDeliveries } from '../deliveries/index.ts';
import type { RunEnding } from './ending.ts';
import { abandonedRuns } from './store/abandoned-runs.ts';

/** Ends runs whose job is over without having ended them, because no job will resume them. */
export async function endAbandonedRuns(
  { database, ending }: { readonly database: Database; readonly ending: Pick<RunEnding, 'end'> },
  olderThanSeconds: number,
): Promise<void> {
  for (const run of await abandonedRuns(database, olderThanSeconds)) {
    await markInterruptedDeliveries(database, run);
    await ending.end(run, 'Failed', { reason: 'Interrupted' });
  }
}

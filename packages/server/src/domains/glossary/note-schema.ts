import type { Jobs } from '@svc/jobs';
import type { Tx } from '../../platform/db/index.ts';
import { checkTermsJob } from './jobs.ts';
import { hasTargets } from './store.ts';

/** Called in the transaction that stores a changed schema. Enqueues a check of the source's terms. */
export const createNoteSchema =
  (jobs: Jobs) =>
  async (tx: Tx, dataSourceId: number): Promise<void> => {
    if (await hasTargets(tx, dataSourceId)) await jobs.enqueue(tx, checkTermsJob, { dataSourceId });
  };

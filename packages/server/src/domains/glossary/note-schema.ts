import type { Jobs } from '@svc/jobs';
import type { Tx } from '../../platform/db/index.ts';
import { checkTermsJob } from './jobs.ts';
import { hasTargets } from './store.ts';

/** Told of a changed schema in the transaction that stores it: has the terms of the source checked. */
export const createNoteSchema =
  (jobs: Jobs) =>
  async (tx: Tx, dataSourceId: number): Promise<void> => {
    if (await hasTargets(tx, dataSourceId)) await jobs.enqueue(tx, checkTermsJob, { dataSourceId });
  };

import type { Jobs } from '@svc/jobs';
import type { Tx } from '../../platform/db/index.ts';
import { checkExamplesJob } from './jobs.ts';
import { hasCheckable } from './store.ts';

/** Called in the transaction that stores a changed schema. Enqueues a check of the source's examples. */
export const createNoteExamples =
  (jobs: Jobs) =>
  async (tx: Tx, dataSourceId: number): Promise<void> => {
    if (await hasCheckable(tx, dataSourceId)) await jobs.enqueue(tx, checkExamplesJob, { dataSourceId });
  };

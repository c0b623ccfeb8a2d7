import type { Jobs } from '@svc/jobs';
import type { Tx } from '../../platform/db/index.ts';
import { checkExamplesJob } from './jobs.ts';
import { hasCheckable } from './store.ts';

/** Told of a changed schema in the transaction that stores it: has the examples of the source checked. */
export const createNoteExamples =
  (jobs: Jobs) =>
  async (tx: Tx, dataSourceId: number): Promise<void> => {
    if (await hasCheckable(tx, dataSourceId)) await jobs.enqueue(tx, checkExamplesJob, { dataSourceId });
  };

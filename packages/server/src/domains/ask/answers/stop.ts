import type { Caller } from '../../../platform/access/index.ts';
import { conflict } from '../../../platform/http/index.ts';
import type { AskDeps } from '../deps.ts';
import { requireOwnAnswer } from '../ownership.ts';
import { endAnswer } from '../store.ts';

/** Ends an open answer of the caller and cancels its job. */
export const createStop =
  (deps: Pick<AskDeps, 'database' | 'rights' | 'jobs'>) =>
  async (caller: Caller, id: number): Promise<void> => {
    const { jobId } = await requireOwnAnswer(deps, caller, id);
    await deps.database.transaction(async (tx) => {
      if (!(await endAnswer(tx, id, { state: 'Cancelled' })))
        throw conflict('answer-ended', 'The answer has ended already.');
      if (jobId !== null) await deps.jobs.cancel(tx, jobId);
    });
  };

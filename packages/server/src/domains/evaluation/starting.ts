import type { Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { evaluateExamplesJob } from './jobs.ts';
import * as store from './store.ts';

export type StartRun = ReturnType<typeof createStartRun>;

/** Enqueues a new job for an open evaluation whose job has ended. */
export async function continueRun(jobs: Jobs, tx: Tx, runId: number): Promise<void> {
  const { jobId } = await jobs.enqueue(tx, evaluateExamplesJob, { runId });
  await store.setRunJob(tx, runId, jobId);
}

/** Creates an evaluation and enqueues its job, in the caller's transaction. */
export const createStartRun =
  (deps: {
    readonly jobs: Jobs;
    readonly audit: Audit;
    readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
  }) =>
  async (tx: Tx, by: CallerActor, run: store.NewRun): Promise<number> => {
    const id = await store.insertRun(tx, run);
    const metadata = deps.startedBy(by.caller);
    const { jobId } = await deps.jobs.enqueue(
      tx,
      evaluateExamplesJob,
      { runId: id },
      metadata ? { metadata } : {},
    );
    await store.setRunJob(tx, id, jobId);
    await deps.audit.record(tx, { event: 'eval.run_started', by, subject: { kind: 'eval_run', id } });
    return id;
  };

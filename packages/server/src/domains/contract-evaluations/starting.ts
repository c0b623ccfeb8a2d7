import { currentJobContext, defineJob, type Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import { insertEvaluation, type NewEvaluation, setJobId } from './store.ts';

function positiveInteger(value: unknown, name: string): number {
  const { [name]: member } = Object(value) as Record<string, unknown>;
  if (typeof member !== 'number' || !Number.isSafeInteger(member) || member < 1)
    throw new TypeError(`${name} must be a positive integer.`);
  return member;
}

const queue = 'contracts';
/** Tried again only when the metadata database was away: what a data source does is an outcome. */
const retry = { attemptsMax: 6, delaysMs: [1_000, 5_000, 15_000, 60_000] };

export const runEvaluation = defineJob<{ readonly evaluationId: number }>({
  name: 'evaluate-contract',
  queue,
  retry,
  parse: (value) => ({ evaluationId: positiveInteger(value, 'evaluationId') }),
});

/** A tick of a contract's schedule. */
export const contractTick = defineJob<{ readonly contractId: number }>({
  name: 'contract-tick',
  queue,
  retry,
  parse: (value) => ({ contractId: positiveInteger(value, 'contractId') }),
});

export type Started = { readonly evaluationId: number; readonly jobId: string };
export type StartEvaluation = ReturnType<typeof createStartEvaluation>;

/** How evaluations are started; undefined where one of the contract waits or runs, or its tick has been seen. */
export function createStartEvaluation(deps: {
  readonly jobs: Jobs;
  readonly startedBy: (caller: Caller) => Record<string, string> | undefined;
}) {
  const start = async (
    tx: Tx,
    made: Omit<NewEvaluation, 'traceId'>,
    metadata?: Record<string, string>,
  ): Promise<Started | undefined> => {
    const traceId = currentJobContext()?.traceId ?? null;
    const evaluationId = await insertEvaluation(tx, { ...made, traceId });
    if (evaluationId === undefined) return undefined;
    const { jobId } = await deps.jobs.enqueue(
      tx,
      runEvaluation,
      { evaluationId },
      metadata ? { metadata } : {},
    );
    await setJobId(tx, evaluationId, jobId);
    return { evaluationId, jobId };
  };
  return {
    byHand: (tx: Tx, caller: Caller, contractId: number) =>
      start(
        tx,
        { contractId, trigger: 'Manual', startedByUserId: caller.userId, dueAt: null },
        deps.startedBy(caller),
      ),
    /** A tick while the last evaluation still runs makes none. */
    byTick: (tx: Tx, contractId: number, dueAt: Date) =>
      start(tx, { contractId, trigger: 'Schedule', startedByUserId: null, dueAt }),
  };
}

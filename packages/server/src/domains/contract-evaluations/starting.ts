import { currentJobContext, defineJob, type Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import { findEvaluationOfSlot, insertEvaluation, type NewEvaluation, setJobId } from './store.ts';

function positiveInteger(value: unknown, name: string): number {
  const { [name]: member } = Object(value) as Record<string, unknown>;
  if (typeof member !== 'number' || !Number.isSafeInteger(member) || member < 1)
    throw new TypeError(`${name} must be a positive integer.`);
  return member;
}

const queue = 'contracts';
/** Retries apply only while the metadata database is unavailable: an error of a data source is a result. */
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

/**
 * Creates the ways to start evaluations. They return undefined if the contract has an open evaluation, or if the tick was
 * already handled.
 */
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
    /**
     * Starts the evaluation of a slot, or continues the existing one. A tick during another open evaluation of the contract
     * starts none.
     *
     * @returns the reason why nothing was started, for the log of the tick; null if an evaluation was started or continued.
     */
    byTick: async (tx: Tx, contractId: number, slotAt: Date): Promise<string | null> => {
      const made = { contractId, trigger: 'Schedule', startedByUserId: null, dueAt: slotAt } as const;
      if (await start(tx, made)) return null;
      const stored = await findEvaluationOfSlot(tx, contractId, slotAt);
      if (!stored) return 'Another evaluation of the contract is open. No evaluation is started.';
      const { id, status, isWorkedOn } = stored;
      const name = `The evaluation of ${slotAt.toISOString()} (${id})`;
      if (isWorkedOn) return `${name} is under way. No second evaluation is started.`;
      if (status !== 'Queued' && status !== 'Running')
        return `${name} has ended as ${status}. No second evaluation is started.`;
      const { jobId } = await deps.jobs.enqueue(tx, runEvaluation, { evaluationId: id });
      await setJobId(tx, id, jobId);
      return null;
    },
  };
}

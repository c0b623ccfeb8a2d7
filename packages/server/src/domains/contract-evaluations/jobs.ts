import { defineJob, type Jobs, requireSlot } from '@svc/jobs';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { createEvaluate } from './evaluate.ts';
import { contractTick, runEvaluation, type StartEvaluation } from './starting.ts';

/** Ends open evaluations whose job has ended. */
const endAbandonedEvaluations = defineJob<null>({
  name: 'end-abandoned-evaluations',
  queue: 'maintenance',
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

const keyOf = (contractId: number): string => `contract:${contractId}`;

/** Starts the ticks of a contract, or stops them if it has no schedule, in the caller's transaction. */
export const createContractSchedule =
  (jobs: Jobs) =>
  async (
    tx: Tx,
    contractId: number,
    schedule: { readonly cronExpression: string; readonly timeZone: string } | undefined,
  ): Promise<void> => {
    if (!schedule) return void (await jobs.schedules.remove(tx, keyOf(contractId)));
    await jobs.schedules.put(tx, {
      key: keyOf(contractId),
      cron: schedule.cronExpression,
      timeZone: schedule.timeZone,
      job: contractTick,
      payload: { contractId },
    });
  };

/** Creates the background jobs of data contracts. */
export function createEvaluationJobs(deps: {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly starting: StartEvaluation;
  readonly evaluate: ReturnType<typeof createEvaluate>;
}) {
  const { jobs, database, starting, evaluate } = deps;
  jobs.handle(runEvaluation, ({ evaluationId }, { signal }) => evaluate.execute(evaluationId, signal));
  jobs.handle(contractTick, async ({ contractId }, run) => {
    const slotAt = requireSlot(run);
    const skipReason = await database.transaction((tx) => starting.byTick(tx, contractId, slotAt));
    if (skipReason !== null) run.log(skipReason);
  });
  jobs.handle(endAbandonedEvaluations, () => evaluate.endAbandoned());
  return {
    /** Registers the recurring upkeep. Called at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:end-abandoned-evaluations',
        cron: '* * * * *',
        timeZone: 'UTC',
        job: endAbandonedEvaluations,
        payload: null,
      });
    },
  };
}

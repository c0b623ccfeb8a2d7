import { RunSqlRefusal } from '../../gateways/run-sql/index.ts';
import type { Database, Executor } from '../../platform/db/index.ts';
import { markInterruptedDeliveries } from '../deliveries/index.ts';
import type { SavedQueryPlan } from '../queries/index.ts';
import type { RunReason } from '../run-history/index.ts';
import type { FrozenMessages } from '../run-messages/index.ts';
import { endAbandonedRuns } from './end-abandoned-runs.ts';
import { createExecuteQuery, type ExecuteQueryDeps } from './execute-query.ts';
import { createExecuteTick, type ExecuteTickDeps } from './execute-tick.ts';
import { type FailureLimits, failureOf } from './failure.ts';
import { createNotifyRecipients, type NotifyRecipientsDeps } from './notify-recipients.ts';
import { resumptionOf } from './resumption.ts';
import { messageForAll, type Outgoing } from './send-messages.ts';
import { dropUnsentFiles } from './settlement/drop-unsent-files.ts';
import { type ReadStateDeps, readState } from './settlement/read-state.ts';
import { type SaveSettlementDeps, settleInTransaction } from './settlement/save-settlement.ts';
import { loadRun, type RunToExecute } from './store/load-run.ts';
import { saveSources } from './store/save-outcome.ts';
import { markStarted } from './store/start-run.ts';

export type RunPipelineDeps = ExecuteQueryDeps &
  ReadStateDeps &
  SaveSettlementDeps &
  NotifyRecipientsDeps &
  Omit<ExecuteTickDeps, 'execute'> & {
    readonly database: Database;
    readonly messages: FrozenMessages;
    /** Returns the query with opened data sources, ready for the run-SQL gateway. Returns a code when it cannot run. */
    readonly planQuery: (
      executor: Executor,
      queryId: number,
    ) => Promise<SavedQueryPlan | 'QueryGone' | 'QueryNotApproved' | 'SourceNotLinked'>;
    readonly limits: FailureLimits;
    /** `Svc:Subscriptions:MissedRunGraceSeconds`. */
    readonly graceSeconds: number;
  };

/** Reports the progress of a run from 0 to 1, and its current step. */
export type Progress = (share: number, text: string) => void;
const unreported: Progress = () => undefined;
const steps = {
  query: { share: 0.1, text: 'Running the query' },
  delivery: { share: 0.6, text: 'Telling the recipients' },
};

export type RunPipeline = ReturnType<typeof createRunPipeline>;

/**
 * Creates the pipeline of runs: query, settlement, delivery, record. An interrupted run resumes where it stopped. The
 * query is executed again only if its settlement was not stored. A recipient that may have received a message does not
 * get it again.
 */
export function createRunPipeline(deps: RunPipelineDeps) {
  const { database, ending, messages } = deps;
  const executeQuery = createExecuteQuery(deps);
  const notifyRecipients = createNotifyRecipients(deps);

  /** Executes the query and stores its settlement. Returns the messages to send now; undefined: none. */
  const queryAndSettle = async (run: RunToExecute, signal: AbortSignal): Promise<Outgoing | undefined> => {
    const plan = await deps.planQuery(database, run.queryId);
    if (typeof plan === 'string') {
      await ending.end(run, 'Failed', { reason: plan });
      return undefined;
    }
    await saveSources(database, run, plan);
    const result = await executeQuery(run, plan, signal);
    const state = await readState(deps, run, plan, result);
    const settlement = await settleInTransaction(deps, run, result, state);
    await dropUnsentFiles(messages, run, settlement.unsentFiles);
    return settlement.next.kind === 'Send' ? settlement.next : undefined;
  };

  /** @param dueAt  Null when the job contains only the id of the run. */
  const execute = async (
    runId: number,
    dueAt: Date | null,
    signal: AbortSignal,
    progress: Progress = unreported,
  ): Promise<void> => {
    const run = await loadRun(database, runId, dueAt);
    if (run?.status !== 'Created') return;
    const resumption = resumptionOf(run, deps.clock.now());
    if (resumption.kind === 'Wait') return;
    if (resumption.kind === 'End') return ending.end(run, 'Silenced', { reason: resumption.reason });
    await markInterruptedDeliveries(database, run);
    await markStarted(database, run, deps.graceSeconds);
    try {
      progress(steps.query.share, steps.query.text);
      const outgoing =
        run.messageSealed === null
          ? await queryAndSettle(run, signal)
          : {
              message: messages.open(messageForAll(run), run.messageSealed),
              hasOwnMessages: run.hasOwnMessages,
            };
      if (!outgoing) return;
      progress(steps.delivery.share, steps.delivery.text);
      await notifyRecipients(run, outgoing, signal);
    } catch (error) {
      const failure = failureOf(error, signal, deps.limits);
      if (!failure) throw error;
      deps.log.warn(
        { runId, subscriptionId: run.subscriptionId, ...factsOf(error, failure) },
        'a run failed',
      );
      await ending.end(run, 'Failed', failure);
    }
  };

  return {
    execute,
    executeTick: createExecuteTick({ ...deps, execute }),
    endAbandoned: (olderThanSeconds: number) => endAbandonedRuns({ database, ending }, olderThanSeconds),
  };
}

/**
 * Returns a failure for the log. A refusal of the gateway has no stack in the log, because its stack explains nothing.
 */
const factsOf = (error: unknown, { reason }: RunReason) =>
  error instanceof RunSqlRefusal
    ? { reason, code: error.code, stepOrder: error.stepOrder, detail: error.message }
    : { reason, err: error };

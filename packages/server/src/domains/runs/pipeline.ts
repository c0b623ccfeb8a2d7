import { type Message, previewRowsMax } from '@svc/channels';
import { type MaskingRules, type RunSql, RunSqlRefusal } from '../../doors/run-sql/index.ts';
import type { MessageKey } from '../../doors/send/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type AlertFinding, advanceAlert, quietUntil } from '../alerts/index.ts';
import { type Assessment, assessCount } from '../anomalies/index.ts';
import {
  deliveryResults,
  markInterruptedDeliveries,
  outcomeOf,
  pendingRecipients,
} from '../deliveries/index.ts';
import type { SavedQueryPlan } from '../queries/index.ts';
import { type RunReason, type RunTimings, timingsOf } from '../run-history/index.ts';
import type { CollectedResult, FoundResult, FrozenMessages } from '../run-messages/index.ts';
import { findResult, messageOf, notificationUrl } from '../run-messages/index.ts';
import { type Decision, decide, hasRows } from './decide.ts';
import type { RunEnding } from './ending.ts';
import { failureOf, isTimeLimit } from './failure.ts';
import {
  abandonedRuns,
  ensureScheduledRun,
  heldRuns,
  isRepetition,
  loadRun,
  markStarted,
  previousResultCount,
  type RunToExecute,
  saveExecution,
  saveTimings,
  saveWhatIsRead,
  setJob,
} from './store.ts';

export type RunPipelineDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly runSql: RunSql;
  /** The query with its data sources opened, ready for the run-SQL door; a refusal word when it cannot run. */
  readonly planQuery: (
    executor: Executor,
    queryId: number,
  ) => Promise<SavedQueryPlan | 'QueryGone' | 'QueryNotApproved' | 'SourceNotLinked'>;
  readonly messages: FrozenMessages;
  readonly ending: RunEnding;
  /** Sends the message to each recipient through the send door; every attempt is in the ledger when it resolves. */
  readonly deliver: (options: {
    key: MessageKey;
    message: Message;
    recipientIds: readonly number[];
    signal: AbortSignal;
  }) => Promise<void>;
  /** Has a run taken up again at a time, in the transaction that holds it. @returns the id of its job. */
  readonly resumeAt: (tx: Tx, run: RunToExecute, at: Date) => Promise<string>;
  readonly baseUrl: () => Promise<string | undefined>;
  readonly limits: RunLimits;
  readonly masking: MaskingRules;
};

/** Bounds that settings give to every run. */
export type RunLimits = {
  readonly maxExecutionRows: number;
  readonly timeoutSeconds: number;
  readonly attachmentBytesMax: number;
};

/** How far the clocks of the service and of its database may be apart. */
const clocksApartMs = 60_000;

/** Rows kept of a run whose subscription stores results and names no Max rows. */
const storedRowsDefault = 10_000;

/** Says how far a run is, from 0 to 1, and what it is doing. */
export type Progress = (share: number, text: string) => void;
const unheard: Progress = () => undefined;
const stages = {
  query: { share: 0.1, text: 'Running the query' },
  delivery: { share: 0.6, text: 'Telling the recipients' },
};

export type RunPipeline = ReturnType<typeof createRunPipeline>;

/**
 * Executes runs: query, decision, delivery, record. A run that was cut short is taken up again where it stood: the
 * query is asked again only when its outcome was not kept, and nobody to whom something may have been sent is sent it
 * again.
 */
export function createRunPipeline(deps: RunPipelineDeps) {
  const { database } = deps;

  /** @param dueAt  Null where the job knows the run's id alone. */
  const execute = async (
    runId: number,
    dueAt: Date | null,
    signal: AbortSignal,
    progress: Progress = unheard,
  ): Promise<void> => {
    const run = await loadRun(database, runId, dueAt);
    if (run?.status !== 'Created') return;
    if (isEarly(run, deps.clock.now())) return;
    const overtaken = whyUntold(run);
    if (overtaken !== null) return deps.ending.end(run, 'Silenced', { reason: overtaken });
    await markInterruptedDeliveries(database, run);
    await markStarted(database, run);
    try {
      progress(stages.query.share, stages.query.text);
      const message =
        run.messageSealed === null
          ? await askAndDecide(run, signal)
          : deps.messages.open(messageOfAll(run), run.messageSealed);
      if (!message) return;
      progress(stages.delivery.share, stages.delivery.text);
      await tellRecipients(run, message, signal);
    } catch (error) {
      const failure = failureOf(error, signal, deps.limits);
      if (!failure) throw error;
      deps.log.warn({ runId, subscriptionId: run.subscriptionId, err: error }, 'a run failed');
      await deps.ending.end(run, 'Failed', failure);
    }
  };

  /** Runs the query and keeps its outcome. Returns the message to send, or undefined when the run is over. */
  const askAndDecide = async (run: RunToExecute, signal: AbortSignal): Promise<Message | undefined> => {
    const plan = await deps.planQuery(database, run.queryId);
    if (typeof plan === 'string') {
      await deps.ending.end(run, 'Failed', { reason: plan });
      return undefined;
    }
    await saveWhatIsRead(database, run, plan);
    const found = await ask(run, plan, signal);
    const previous = await previousResultCount(database, run.subscriptionId, run);
    const resultCount = found?.collected.rowCount ?? null;
    const assessment = await assessCount(database, run, { dueAt: run.dueAt, count: resultCount });
    const timestamp = deps.clock.now();
    const url = notificationUrl(await deps.baseUrl(), run.id);
    const conclude = async (executor: Executor, tx: Tx | null) => {
      const alert = await alertAfter(executor, run, resultCount, timestamp);
      const decision =
        resultCount === null
          ? await decideTimedOut(executor, run)
          : decide({ ...run, assessment, alert, resultCount, previousResultCount: previous });
      const tells = decision === 'Notify' && !isSilent(run);
      const heldUntil = tells ? holdOf(run, assessment, timestamp) : null;
      const facts = { previous, assessment, alert, timestamp, notificationUrl: url };
      const message = messageOf(run, plan, found, facts);
      await saveExecution(executor, run, {
        ...whatWasFound(run, found),
        previousResultCount: previous,
        assessment,
        messageSealed: tells ? deps.messages.seal(messageOfAll(run), message) : null,
        alertNews: tells ? (alert?.news ?? null) : null,
        heldUntil,
      });
      const announcements = tx ? await follow(tx, run, { tells, heldUntil, alert }) : [];
      return { decision, alert, message: tells ? message : undefined, heldUntil, announcements };
    };
    // The alert moves with the outcome that moved it, and what is held with what takes its place, or not at all.
    const { decision, alert, message, heldUntil, announcements } = await (remembers(run)
      ? database.transaction((tx) => conclude(tx, tx))
      : conclude(database, null));
    for (const announce of announcements) announce();
    if (heldUntil !== null) return undefined;
    if (message) return message;
    if (found?.attachment) await deps.messages.dropFile(messageOfAll(run));
    await endUntold(run, { decision, alert, isTimedOut: found === undefined });
    return undefined;
  };

  /** Orders what is held to be told later; ends what was held before and is overtaken. */
  const follow = async (
    tx: Tx,
    run: RunToExecute,
    outcome: {
      readonly tells: boolean;
      readonly heldUntil: Date | null;
      readonly alert: AlertFinding | null;
    },
  ): Promise<(() => void)[]> => {
    const announcements: (() => void)[] = [];
    // What was held of an alert is decided anew by each run; other news only by a run that has news.
    if (outcome.tells || outcome.alert !== null)
      for (const earlier of await heldRuns(tx, run.subscriptionId, run.id))
        announcements.push(await deps.ending.endIn(tx, earlier, 'Silenced', { reason: 'Superseded' }));
    if (outcome.heldUntil !== null) await setJob(tx, run, await deps.resumeAt(tx, run, outcome.heldUntil));
    return announcements;
  };

  /** Ends a run of which nobody is told: by its decision, or because the subscription is snoozed. */
  const endUntold = async (
    run: RunToExecute,
    {
      decision,
      alert,
      isTimedOut,
    }: {
      readonly decision: Decision | 'Timeout';
      readonly alert: AlertFinding | null;
      readonly isTimedOut: boolean;
    },
  ): Promise<void> => {
    const isSnoozed = decision === 'Notify';
    if (isTimedOut)
      // Kept apart: the first time-out after the snooze is told.
      await deps.ending.end(
        run,
        'Timeout',
        isSnoozed ? { reason: 'TimedOutSnoozed', seconds: timeoutSecondsOf(run) } : timedOutReason(run, null),
      );
    else if (isSnoozed) await deps.ending.end(run, 'Silenced', { reason: 'Snoozed' });
    else await deps.ending.end(run, decision, decision === 'Silenced' ? silenceOf(run, alert) : null);
  };

  /** What the query found; undefined when its time limit passed. */
  const ask = async (
    run: RunToExecute,
    plan: SavedQueryPlan,
    signal: AbortSignal,
  ): Promise<
    (FoundResult & { readonly executionTimeMs: number; readonly timings: RunTimings }) | undefined
  > => {
    const askedAt = deps.clock.now();
    try {
      const result = await deps.runSql.run({
        ...plan.request,
        parameters: { declared: plan.parameters, values: run.parameters },
        limits: { timeoutMs: timeoutSecondsOf(run) * 1_000, maxRows: deps.limits.maxExecutionRows },
        masking: deps.masking,
        signal,
      });
      const found = await findResult(deps.messages, run, result, keptRowsOf(run));
      const finished = await result.finished;
      const { executionTimeMs, repairedCount } = finished;
      if (repairedCount > 0)
        deps.log.info(
          { runId: run.id, repairedCount },
          'values of a result hold characters that cannot be stored; U+FFFD stands in their place',
        );
      return { ...found, executionTimeMs, timings: timingsOf(askedAt, finished) };
    } catch (error) {
      if (error instanceof RunSqlRefusal) await saveTimings(database, run, timingsOf(askedAt, error));
      if (signal.aborted || !isTimeLimit(error)) throw error;
      deps.log.warn({ runId: run.id, subscriptionId: run.subscriptionId, err: error }, 'a run timed out');
      return undefined;
    }
  };

  /** The first of a row of runs that time out tells the recipients; those after it say nothing new. */
  const decideTimedOut = async (executor: Executor, run: RunToExecute): Promise<'Notify' | 'Timeout'> => {
    const ended = { status: 'Timeout', reason: 'TimedOut' } as const;
    return (await isRepetition(executor, run.subscriptionId, run, ended)) ? 'Timeout' : 'Notify';
  };

  const tellRecipients = async (run: RunToExecute, message: Message, signal: AbortSignal): Promise<void> => {
    const key = messageOfAll(run);
    const recipientIds = await pendingRecipients(database, key, run.subscriptionId);
    await deps.deliver({ key, message, recipientIds, signal });
    signal.throwIfAborted();
    const left = await pendingRecipients(database, key, run.subscriptionId);
    // Nothing was written for them, so nothing was sent: the job takes the run up again.
    if (left.length > 0)
      throw new Error(`${left.length} deliveries of run ${run.id} could not be written into the ledger.`);
    // An outcome that could not be written is not known: it must not read as a success.
    await markInterruptedDeliveries(database, run);
    const results = await deliveryResults(database, run);
    const { status, reason } = outcomeOf(results, { hasTask: run.createTasks });
    if (status === 'Skipped')
      deps.log.warn({ runId: run.id, subscriptionId: run.subscriptionId }, 'a run notified nobody');
    const told = status === 'Silenced' ? null : reason;
    if (message.timedOut) await deps.ending.end(run, 'Timeout', timedOutReason(run, told));
    else await deps.ending.end(run, status, reason);
    // Everybody has it: there is nobody left whom it could be sent to again.
    if (message.attachment && results.every(({ state }) => state === 'Sent'))
      await deps.messages.dropFiles(run);
  };

  const timeoutSecondsOf = (run: RunToExecute): number => run.timeoutSeconds ?? deps.limits.timeoutSeconds;

  /** That the run timed out, and what became of the message about it. */
  const timedOutReason = (run: RunToExecute, told: RunReason | null): RunReason => ({
    reason: 'TimedOut',
    seconds: timeoutSecondsOf(run),
    ...(told && { told }),
  });

  return {
    /** Executes a run that exists already. */
    execute,
    /** Makes and executes the run of a tick of a subscription's schedule. */
    executeTick: async (
      subscriptionId: number,
      dueAt: Date,
      job: { id: string; traceId: string },
      signal: AbortSignal,
    ): Promise<void> => {
      const runId = await ensureScheduledRun(database, subscriptionId, dueAt, job);
      if (runId !== undefined) await execute(runId, dueAt, signal);
    },
    /** Ends runs whose job is over although they have not ended: nobody comes back to them. */
    endAbandoned: async (olderThanSeconds: number): Promise<void> => {
      for (const run of await abandonedRuns(database, olderThanSeconds)) {
        await markInterruptedDeliveries(database, run);
        await deps.ending.end(run, 'Failed', { reason: 'Interrupted' });
      }
    },
  };
}

/** Whether nobody is told. Who runs it by hand asks to be told. */
const isSilent = (run: RunToExecute): boolean => run.isSnoozed && run.origin === 'Schedule';

/** Whether what a run finds depends on what stands from the runs before, and changes it. */
const remembers = ({ alert, quietHours, hasHeld }: RunToExecute): boolean =>
  alert !== null || quietHours !== null || hasHeld;

/** What the query said, as it is kept; nothing of one that timed out. */
const whatWasFound = (
  run: RunToExecute,
  found: (FoundResult & { readonly executionTimeMs: number; readonly timings: RunTimings }) | undefined,
) => ({
  executionTimeMs: found?.executionTimeMs ?? null,
  timings: found?.timings ?? null,
  resultCount: found?.collected.rowCount ?? null,
  storedResults: found && run.storeResults ? storedResults(run, found.collected) : null,
});

/** Whether a run is taken up before the quiet hours end that hold it: its own job comes for it then. */
const isEarly = ({ heldUntil }: RunToExecute, now: Date): boolean =>
  heldUntil !== null && heldUntil.getTime() > now.getTime() + clocksApartMs;

/** Why what quiet hours held is not told when they end; null: it is. */
function whyUntold(run: RunToExecute): 'Superseded' | 'Snoozed' | null {
  if (run.heldUntil === null) return null;
  if (run.isArchived) return 'Superseded';
  return isSilent(run) ? 'Snoozed' : null;
}

/** Until when the message of a run is held; null: it leaves at once. Who runs it by hand is told now. */
function holdOf({ quietHours, origin }: RunToExecute, assessment: Assessment | null, now: Date): Date | null {
  if (quietHours === null || origin !== 'Schedule') return null;
  const isCritical = assessment !== null && assessment.flagged !== null && assessment.severity === 'Critical';
  return isCritical && quietHours.criticalPasses ? null : quietUntil(quietHours, now);
}

/** How the alert stands after a run; null where there is none, and where the run found out nothing. */
async function alertAfter(
  executor: Executor,
  { id, subscriptionId, alert: rule, minimumRowCount }: RunToExecute,
  resultCount: number | null,
  now: Date,
): Promise<AlertFinding | null> {
  if (rule === null || resultCount === null) return null;
  const subject = { kind: 'Subscription', id: subscriptionId } as const;
  const isBad = hasRows({ resultCount, minimumRowCount });
  return advanceAlert(executor, { subject, by: id, rule, isBad }, now);
}

/** Why a run that found rows says nothing. */
function silenceOf(run: RunToExecute, alert: AlertFinding | null): RunReason | null {
  if (alert === null || run.alert === null) return null;
  if (alert.state !== 'Pending') return { reason: 'StillFiring' };
  return { reason: 'AlertPending', runs: alert.streak, of: run.alert.pendingRuns };
}

/** What every recipient of a run gets who has no message of their own. */
const messageOfAll = (run: RunToExecute): MessageKey => ({
  run: { id: run.id, dueAt: run.dueAt },
  messageNo: 0,
});

const storedRowsOf = (run: RunToExecute): number => run.maxRows ?? storedRowsDefault;

const keptRowsOf = (run: RunToExecute): number =>
  run.storeResults ? Math.max(storedRowsOf(run), previewRowsMax) : previewRowsMax;

function storedResults(run: RunToExecute, collected: CollectedResult): string {
  const rows = collected.rows.slice(0, storedRowsOf(run));
  return JSON.stringify({ columns: collected.columns, rows, isTruncated: rows.length < collected.rowCount });
}

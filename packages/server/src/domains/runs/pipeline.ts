import { type Message, previewRowsMax } from '@svc/channels';
import { RunSqlRefusal } from '../../gateways/run-sql/index.ts';
import type { MessageKey } from '../../gateways/send/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { type AlertFinding, advanceAlert, quietUntil } from '../alerts/index.ts';
import { type Assessment, assessCount } from '../anomalies/index.ts';
import { deliveryResults, markInterruptedDeliveries, outcomeOf } from '../deliveries/index.ts';
import type { SkipOverlapping } from '../missed-runs/index.ts';
import type { SavedQueryPlan } from '../queries/index.ts';
import type { RowFinding } from '../row-memory/index.ts';
import type { RunReason } from '../run-history/index.ts';
import {
  type CollectedResult,
  type FrozenMessages,
  notificationUrl,
  type OwnMessage,
  saveOwnMessages,
} from '../run-messages/index.ts';
import { type AskDeps, type AskedResult, createAsk } from './ask.ts';
import { composeMessages } from './compose.ts';
import { type Decision, decide, hasRows } from './decide.ts';
import type { RunEnding } from './ending.ts';
import { failureOf } from './failure.ts';
import { markStarted } from './start-store.ts';
import {
  abandonedRuns,
  ensureScheduledRun,
  heldRuns,
  isRepetition,
  loadRun,
  previousResultCount,
  type RunToExecute,
  saveExecution,
  saveWhatIsRead,
  setJob,
} from './store.ts';
import { createTell, type TellDeps } from './tell.ts';

export type RunPipelineDeps = AskDeps & {
  readonly database: Database;
  /** Returns the query with opened data sources, ready for the run-SQL gateway. Returns a code when it cannot run. */
  readonly planQuery: (
    executor: Executor,
    queryId: number,
  ) => Promise<SavedQueryPlan | 'QueryGone' | 'QueryNotApproved' | 'SourceNotLinked'>;
  readonly messages: FrozenMessages;
  readonly ending: RunEnding;
  readonly deliver: TellDeps['deliver'];
  /** Schedules the resumption of a run, in the transaction that defers its message. @returns the id of the job. */
  readonly resumeAt: (tx: Tx, run: RunToExecute, at: Date) => Promise<string>;
  readonly baseUrl: () => Promise<string | undefined>;
  readonly limits: RunLimits;
  readonly skipOverlapping: SkipOverlapping;
  /** `Svc:Subscriptions:MissedRunGraceSeconds`. */
  readonly graceSeconds: number;
};

/** Limits from settings, for every run. */
export type RunLimits = {
  readonly maxExecutionRows: number;
  readonly timeoutSeconds: number;
  readonly attachmentBytesMax: number;
  readonly rowMemoryMaxRows: number;
};

/** Maximum difference between the clocks of the service and of its database, in milliseconds. */
const clocksApartMs = 60_000;

/** Number of stored rows of a run whose subscription stores results without Max rows. */
const storedRowsDefault = 10_000;

/** Reports the progress of a run from 0 to 1, and its current step. */
export type Progress = (share: number, text: string) => void;
const unheard: Progress = () => undefined;
const stages = {
  query: { share: 0.1, text: 'Running the query' },
  delivery: { share: 0.6, text: 'Telling the recipients' },
};

/** Job of a schedule for a slot. */
export type Tick = {
  readonly slotAt: Date;
  /** Id of the job. */
  readonly id: string;
  readonly traceId: string;
  readonly signal: AbortSignal;
  /** Writes a line to the log of the job. */
  readonly log: (message: string) => void;
};

export type RunPipeline = ReturnType<typeof createRunPipeline>;

/**
 * Creates the pipeline of runs: query, decision, delivery, record. An interrupted run resumes where it stopped. The
 * query is executed again only if its outcome was not stored. A recipient that may have received a message does not get
 * it again.
 */
export function createRunPipeline(deps: RunPipelineDeps) {
  const { database } = deps;
  const ask = createAsk(deps);
  const tell = createTell(deps);

  /** @param dueAt  Null when the job contains only the id of the run. */
  const execute = async (
    runId: number,
    dueAt: Date | null,
    signal: AbortSignal,
    progress: Progress = unheard,
  ): Promise<void> => {
    const run = await loadRun(database, runId, dueAt);
    if (run?.status !== 'Created') return;
    if (isEarly(run, deps.clock.now())) return;
    const overtaken = skipReason(run);
    if (overtaken !== null) return deps.ending.end(run, 'Silenced', { reason: overtaken });
    await markInterruptedDeliveries(database, run);
    await markStarted(database, run, deps.graceSeconds);
    try {
      progress(stages.query.share, stages.query.text);
      const outgoing =
        run.messageSealed === null
          ? await askAndDecide(run, signal)
          : {
              message: deps.messages.open(messageOfAll(run), run.messageSealed),
              hasOwnMessages: run.hasOwnMessages,
            };
      if (!outgoing) return;
      progress(stages.delivery.share, stages.delivery.text);
      await notifyRecipients(run, outgoing, signal);
    } catch (error) {
      const failure = failureOf(error, signal, deps.limits);
      if (!failure) throw error;
      deps.log.warn(
        { runId, subscriptionId: run.subscriptionId, ...factsOf(error, failure) },
        'a run failed',
      );
      await deps.ending.end(run, 'Failed', failure);
    }
  };

  /** Executes the query and stores its outcome. Returns the message to send, or undefined when the run is over. */
  const askAndDecide = async (run: RunToExecute, signal: AbortSignal): Promise<Told | undefined> => {
    const plan = await deps.planQuery(database, run.queryId);
    if (typeof plan === 'string') {
      await deps.ending.end(run, 'Failed', { reason: plan });
      return undefined;
    }
    await saveWhatIsRead(database, run, plan);
    const result = await ask(run, plan, {
      timeoutMs: timeoutSecondsOf(run) * 1_000,
      keptRows: keptRowsOf(run),
      signal,
    });
    const previous = await previousResultCount(database, run.subscriptionId, run);
    const resultCount = result?.resultCount ?? null;
    const rows = result?.memory?.finding() ?? null;
    const assessment = await assessCount(database, run, { dueAt: run.dueAt, count: resultCount });
    const timestamp = deps.clock.now();
    const url = notificationUrl(await deps.baseUrl(), run.id);
    const conclude = async (executor: Executor, tx: Tx | null) => {
      const alert = await alertAfter(executor, run, resultCount, timestamp);
      const finding = { ...run, assessment, alert, rows, previousResultCount: previous };
      const decision =
        resultCount === null ? await decideTimedOut(executor, run) : decide({ ...finding, resultCount });
      const facts = { previous, assessment, alert, rows, timestamp, notificationUrl: url };
      const composed = composeMessages(run, plan, result, facts);
      const tells = decision === 'Notify' && !isSilent(run) && !composed.isNothingRouted;
      const heldUntil = tells ? holdOf(run, assessment, timestamp) : null;
      const message = tells ? composed.message : null;
      const own = tells ? composed.own : [];
      await saveExecution(executor, run, {
        ...queryOutcome(run, result),
        previousResultCount: previous,
        assessment,
        messageSealed: message && deps.messages.seal(messageOfAll(run), message),
        alertNews: newsOf(alert, tells),
        heldUntil,
      });
      await keepFindings(executor, run, result, own);
      const announcements = tx ? await follow(tx, run, { tells, heldUntil, alert }) : [];
      return { decision, alert, message, own, heldUntil, announcements };
    };
    // Alert state, held messages and per-recipient messages commit in one transaction with the outcome.
    const isWhole = remembers(run) || (result !== undefined && result.routed !== null);
    const { decision, alert, message, own, heldUntil, announcements } = await (isWhole
      ? database.transaction((tx) => conclude(tx, tx))
      : conclude(database, null));
    for (const announce of announcements) announce();
    await dropUnsentFiles(run, result?.fileNos ?? [], message, own);
    if (heldUntil !== null) return undefined;
    if (message) return { message, hasOwnMessages: own.length > 0 };
    await endUnsent(run, { decision, alert, rows, isTimedOut: result === undefined });
    return undefined;
  };

  /** Deletes the files of messages that are not sent. */
  const dropUnsentFiles = async (
    run: RunToExecute,
    fileNos: readonly number[],
    message: Message | null,
    own: readonly OwnMessage[],
  ): Promise<void> => {
    const sent = new Set(message === null ? [] : own.length > 0 ? own.map(({ no }) => no) : [0]);
    const unsent = fileNos.filter((no) => !sent.has(no));
    if (unsent.length > 0 && unsent.length === fileNos.length) return deps.messages.dropFiles(run);
    for (const messageNo of unsent) await deps.messages.dropFile({ ...messageOfAll(run), messageNo });
  };

  /** Stores the per-recipient messages, and stages the rows that are known afterwards. */
  const keepFindings = async (
    executor: Executor,
    run: RunToExecute,
    result: AskedResult | undefined,
    own: readonly OwnMessage[],
  ): Promise<void> => {
    const { memory, routed } = result ?? {};
    if (memory || routed) await saveOwnMessages(executor, run, own, deps.messages.seal);
    // A manual run changes no stored rows, so that the next scheduled run still reports new rows.
    if (memory && (run.origin === 'Schedule' || memory.isBaseline)) await memory.stage(executor, run.id);
  };

  /** Schedules the delivery of a held message. Ends earlier held runs that this run replaces. */
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
    if (replacesHeld(run, outcome))
      for (const earlier of await heldRuns(tx, run.subscriptionId, run.id))
        announcements.push(await deps.ending.endIn(tx, earlier, 'Silenced', { reason: 'Superseded' }));
    if (outcome.heldUntil !== null) await setJob(tx, run, await deps.resumeAt(tx, run, outcome.heldUntil));
    return announcements;
  };

  /** Ends a run that notifies no recipient: by its decision, because of a snooze, or for lack of a route. */
  const endUnsent = async (
    run: RunToExecute,
    {
      decision,
      alert,
      rows,
      isTimedOut,
    }: {
      readonly decision: Decision | 'Timeout';
      readonly alert: AlertFinding | null;
      readonly rows: RowFinding | null;
      readonly isTimedOut: boolean;
    },
  ): Promise<void> => {
    const hasNews = decision === 'Notify';
    if (isTimedOut)
      // A separate reason, so that the first timeout after the snooze notifies.
      await deps.ending.end(
        run,
        'Timeout',
        hasNews ? { reason: 'TimedOutSnoozed', seconds: timeoutSecondsOf(run) } : timedOutReason(run, null),
      );
    else if (hasNews)
      await deps.ending.end(run, 'Silenced', { reason: isSilent(run) ? 'Snoozed' : 'NothingRouted' });
    else await deps.ending.end(run, decision, decision === 'Silenced' ? silenceOf(run, alert, rows) : null);
  };

  /** Decides whether a timeout notifies: only the first of consecutive timeouts does. */
  const decideTimedOut = async (executor: Executor, run: RunToExecute): Promise<'Notify' | 'Timeout'> => {
    const ended = { status: 'Timeout', reason: 'TimedOut' } as const;
    return (await isRepetition(executor, run.subscriptionId, run, ended)) ? 'Timeout' : 'Notify';
  };

  const notifyRecipients = async (run: RunToExecute, outgoing: Told, signal: AbortSignal): Promise<void> => {
    const { message } = outgoing;
    await tell(run, outgoing, signal);
    // An attempt without a stored outcome is unknown. It must not count as a success.
    await markInterruptedDeliveries(database, run);
    const results = await deliveryResults(database, run);
    const { status, reason } = outcomeOf(results, { hasTask: run.createTasks });
    if (status === 'Skipped')
      deps.log.warn({ runId: run.id, subscriptionId: run.subscriptionId }, 'a run notified nobody');
    const outcome = status === 'Silenced' ? null : reason;
    if (message.timedOut) await deps.ending.end(run, 'Timeout', timedOutReason(run, outcome));
    else await deps.ending.end(run, status, reason);
    // All recipients have the file, so it cannot be sent again.
    if (run.attachmentFormat !== null && results.every(({ state }) => state === 'Sent'))
      await deps.messages.dropFiles(run);
  };

  const timeoutSecondsOf = (run: RunToExecute): number => run.timeoutSeconds ?? deps.limits.timeoutSeconds;

  /** Returns the reason of a timeout, with the outcome of the message about it. */
  const timedOutReason = (run: RunToExecute, messageReason: RunReason | null): RunReason => ({
    reason: 'TimedOut',
    seconds: timeoutSecondsOf(run),
    ...(messageReason && { told: messageReason }),
  });

  /** Records the slot if it is skipped. @returns the reason why the slot has no run. */
  const whyNoRun = async (subscriptionId: number, slotAt: Date): Promise<string> => {
    const skip = await deps.skipOverlapping(subscriptionId, slotAt);
    return skip
      ? `The slot ${slotAt.toISOString()} is skipped: the previous run (${skip.previousRunId}) was still running.`
      : 'The subscription is paused or archived. No run is made.';
  };

  return {
    execute,
    /** Creates or resumes the run of a tick's slot, and executes it. An ended run does not change. */
    executeTick: async (subscriptionId: number, tick: Tick): Promise<void> => {
      const { slotAt, log } = tick;
      const run = await ensureScheduledRun(database, subscriptionId, slotAt, tick);
      if (!run) return log(await whyNoRun(subscriptionId, slotAt));
      if (run.status === 'Created') return execute(run.id, slotAt, tick.signal);
      log(
        `The run of ${slotAt.toISOString()} (${run.id}) has ended as ${run.status}. No second run is made.`,
      );
    },
    /** Ends runs whose job is over without having ended them, because no job will resume them. */
    endAbandoned: async (olderThanSeconds: number): Promise<void> => {
      for (const run of await abandonedRuns(database, olderThanSeconds)) {
        await markInterruptedDeliveries(database, run);
        await deps.ending.end(run, 'Failed', { reason: 'Interrupted' });
      }
    },
  };
}

/**
 * Returns a failure for the log. A refusal of the gateway has no stack in the log, because its stack explains nothing.
 */
const factsOf = (error: unknown, { reason }: RunReason) =>
  error instanceof RunSqlRefusal
    ? { reason, code: error.code, stepOrder: error.stepOrder, detail: error.message }
    : { reason, err: error };

/** Returns true if a snooze prevents notifications. A run that a user started always notifies. */
const isSilent = (run: RunToExecute): boolean => run.isSnoozed && run.origin === 'Schedule';

/**
 * Returns true if a run ends earlier held runs. A scheduled run evaluates an alert or remembered rows again. A manual
 * run does not end held runs. Otherwise their message would be lost, and their rows would wait for the next run.
 */
const replacesHeld = (
  { rowMemory, origin }: RunToExecute,
  { tells, alert }: { readonly tells: boolean; readonly alert: AlertFinding | null },
): boolean => (rowMemory === null ? tells || alert !== null : origin === 'Schedule');

/** Returns true if the outcome of a run depends on the state of earlier runs, and changes it. */
const remembers = ({ alert, rowMemory, quietHours, hasHeld }: RunToExecute): boolean =>
  alert !== null || rowMemory !== null || quietHours !== null || hasHeld;

/** Message of a run. `hasOwnMessages`: recipients get their own messages instead. */
type Told = { readonly message: Message; readonly hasOwnMessages: boolean };

/** Returns the reported change of the alert; null: none. */
const newsOf = (alert: AlertFinding | null, tells: boolean) => (tells && alert !== null ? alert.news : null);

/** Returns the outcome of the query to store; nulls after a timeout. */
const queryOutcome = (run: RunToExecute, result: AskedResult | undefined) => ({
  executionTimeMs: result?.executionTimeMs ?? null,
  timings: result?.timings ?? null,
  resultCount: result?.resultCount ?? null,
  unroutedCount: result?.routed?.unroutedCount ?? null,
  storedResults: result && run.storeResults ? storedResults(run, result.collected) : null,
});

/** Returns true if a held run starts before its quiet hours end. Its own job resumes it then. */
const isEarly = ({ heldUntil }: RunToExecute, now: Date): boolean =>
  heldUntil !== null && heldUntil.getTime() > now.getTime() + clocksApartMs;

/** Returns the reason why a held message is not sent after the quiet hours; null: it is sent. */
function skipReason(run: RunToExecute): 'Superseded' | 'Snoozed' | null {
  if (run.heldUntil === null) return null;
  if (run.isArchived) return 'Superseded';
  return isSilent(run) ? 'Snoozed' : null;
}

/**
 * Returns the time until which the message of a run is held; null: it is sent immediately. A run that a user started is
 * never held.
 */
function holdOf({ quietHours, origin }: RunToExecute, assessment: Assessment | null, now: Date): Date | null {
  if (quietHours === null || origin !== 'Schedule') return null;
  const isCritical = assessment !== null && assessment.flagged !== null && assessment.severity === 'Critical';
  return isCritical && quietHours.criticalPasses ? null : quietUntil(quietHours, now);
}

/** Returns the state of the alert after a run. Null without an alert, and when the run has no result. */
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

/** Returns the reason why a run with a result sends nothing. */
function silenceOf(run: RunToExecute, alert: AlertFinding | null, rows: RowFinding | null): RunReason | null {
  if (rows !== null)
    return rows.isBaseline ? { reason: 'Baseline', rowCount: rows.rowCount } : { reason: 'NothingChanged' };
  if (alert === null || run.alert === null) return null;
  if (alert.state !== 'Pending') return { reason: 'StillFiring' };
  return { reason: 'AlertPending', runs: alert.streak, of: run.alert.pendingRuns };
}

/** Returns the key of the message for recipients without their own message. */
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

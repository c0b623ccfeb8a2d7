import os from 'node:os';
import type pg from 'pg';
import { uuidV7 } from '../db/uuid.ts';
import { errorText, JobsError } from '../errors.ts';
import { parseHint } from '../sql/hints.ts';
import { completeInTransaction } from '../sql/jobs/complete-in.ts';
import type { AttemptEnd, RecordedEnds } from '../sql/jobs/end-attempts.ts';
import { releaseJobs } from '../sql/jobs/leases.ts';
import { activatedMax, takePulse } from '../sql/schedules/pulse.ts';
import { removeServer } from '../sql/servers.ts';
import type { Sql } from '../sql/statement.ts';
import type { JobState } from '../states.ts';
import type { RegisteredHandler } from './handler.ts';
import { startListener } from './listener.ts';
import type { JobsLogger } from './logger.ts';
import { startLoop } from './loop.ts';
import type { EngineSettings } from './settings.ts';
import { type ClockSetBack, startClockWatch } from './upkeep/clock-watch.ts';
import { startGroups } from './upkeep/groups.ts';
import { startHousekeeper } from './upkeep/housekeeper.ts';
import { startKeeper } from './upkeep/keeper.ts';
import { createScheduler } from './upkeep/scheduler.ts';
import { startSweeper } from './upkeep/sweeper.ts';
import { createFinisher } from './work/finisher.ts';
import { createHeldJobs, type HeldJob } from './work/held-jobs.ts';
import { createJobRun } from './work/job-run.ts';
import { runAttempt } from './work/run-attempt.ts';
import { createRunNotes, type JobProgress } from './work/run-notes.ts';
import { createTurns } from './work/turns.ts';
import { startWorker, type Worker } from './work/worker.ts';

/** State change of a job that this process made. */
export type Transition = {
  readonly jobId: string;
  readonly name: string;
  readonly state: JobState;
  readonly attempt: number;
  readonly traceId: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Time of the process's clock. */
  readonly at: Date;
};

export type EngineDeps = {
  readonly sql: Sql;
  /** Connection settings of the listener; null to poll only. */
  readonly listen: pg.ClientConfig | null;
  readonly settings: EngineSettings;
  readonly handlers: ReadonlyMap<string, RegisteredHandler>;
  /** Queues to serve, with the maximum number of running jobs of each in this process. */
  readonly queues: ReadonlyMap<string, number>;
  /** Enables schedules and maintenance on behalf of all processes. */
  readonly isScheduler: boolean;
  readonly logger: JobsLogger;
  readonly serverName: string;
  readonly onTransition: ((transition: Transition) => void) | null;
  readonly onProgress: ((progress: JobProgress) => void) | null;
  readonly onClockSetBack: (event: ClockSetBack) => void;
};

/** Job engine of one process. */
export type Engine = {
  readonly serverId: string;
  /** Resolves when the process is registered in the list of servers. Rejects when the first registration fails. */
  readonly started: Promise<void>;
  /** Claims jobs of a queue immediately. */
  wake(queue: string): void;
  /** Checks due times immediately. */
  wakePulse(): void;
  /**
   * Claims no more jobs and waits `timeoutMs` for running jobs to end. Then aborts their signals, returns unfinished
   * jobs to their queue, stores pending ends and notes, and closes the listener.
   */
  stop(timeoutMs: number): Promise<void>;
};

/** Time between the abort of running jobs at a stop and their release. */
const abortGraceMs = 2_000;
/** Maximum age of prefetched jobs. Older ones are released: the assumption that jobs are short was wrong. */
const waitingAgeMaxMs = 2_000;

/** Resolves to true when the work settles within the time. */
async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(late.resolve, timeoutMs, false);
  const isInTime = await Promise.race([work.then(() => true as const), late.promise]);
  clearTimeout(timer);
  return isInTime;
}

/** Starts all workers, loops and the listener of a process. */
export function startEngine(deps: EngineDeps): Engine {
  const { sql, settings, logger } = deps;
  const serverId = uuidV7();
  const held = createHeldJobs();
  const notes = createRunNotes(sql, logger, deps.onProgress);
  const scheduler = deps.isScheduler ? createScheduler(sql, logger) : undefined;
  const executions = new Set<Promise<void>>();
  let cpuBefore = process.cpuUsage();
  let cpuMeasuredAtMs = performance.now();

  const announce = (job: HeldJob, state: JobState) => {
    if (!deps.onTransition) return;
    const { row } = job;
    try {
      deps.onTransition({
        jobId: row.id,
        name: row.name,
        state,
        attempt: row.attempt,
        traceId: row.trace_id,
        metadata: row.metadata,
        at: new Date(),
      });
    } catch (error) {
      logger.error({ jobId: row.id, error: errorText(error) }, 'onTransition threw');
    }
  };

  const onRecorded = (ends: readonly AttemptEnd[], recorded: RecordedEnds) => {
    for (const end of ends) {
      const job = held.get(end.id);
      if (!job || job.row.fence !== end.fence) continue;
      held.remove(job);
      if (recorded.recordedIds.has(end.id)) announce(job, end.state);
      // A job that waits for a limit can start now.
      const worker = workers.get(job.queue)?.worker;
      if (worker && (job.row.is_limited || worker.isLimited())) worker.wake();
    }
    if (recorded.isAwaited) groups.wake();
    if (ends.some((end) => end.state === 'AwaitingRetry')) pulse.wake();
  };
  const finisher = createFinisher({ sql, retention: settings.retention, logger, onRecorded });

  const completeIn = async (job: HeldJob, executor: Parameters<typeof completeInTransaction>[1]) => {
    const isDone = await completeInTransaction(sql, executor, job.row, {
      durationMs: performance.now() - (job.startedAtMs ?? job.claimedAtMs),
      retentionMs: settings.retention.completedMs,
    });
    if (!isDone) throw new JobsError('NotCurrent', `Another run holds the job ${job.row.id} by now.`);
  };

  const giveBack = async (jobs: readonly HeldJob[]) => {
    for (const job of jobs) held.remove(job);
    try {
      if (jobs.length > 0) {
        await releaseJobs(
          sql,
          jobs.map((job) => job.row),
        );
      }
    } catch (error) {
      logger.warn({ error: errorText(error) }, 'jobs could not be given back; their leases will run out');
    }
  };

  const execute = async (job: HeldJob) => {
    announce(job, 'Processing');
    const outcome = await runAttempt(job, createJobRun({ sql, notes, completeIn }, job));
    if (outcome.kind === 'Ended') {
      notes.flushSoon();
      finisher.add(outcome.end);
    } else if (outcome.kind === 'Released') {
      await giveBack([job]);
    } else {
      held.remove(job);
    }
  };

  const track = (job: HeldJob): Promise<void> => {
    const execution = execute(job).then(() => void executions.delete(execution));
    executions.add(execution);
    return execution;
  };

  const turns = createTurns();
  const workers = new Map<string, { id: string; worker: Worker }>();
  for (const [queue, concurrency] of deps.queues) {
    const id = uuidV7();
    const worker = startWorker({
      sql,
      queue,
      concurrency,
      prefetchMax: settings.prefetchMax,
      handlers: deps.handlers,
      held,
      workerId: id,
      leaseMs: settings.leaseMs,
      logger,
      turns,
      onRateUsed: () => pulse.wake(),
      execute: track,
    });
    workers.set(queue, { id, worker });
  }
  const queueNames = [...workers.keys()];

  const pulse = startLoop('look for due jobs', logger, async () => {
    const status = await takePulse(sql, queueNames);
    for (const { worker } of workers.values()) {
      worker.setRules({
        isPaused: status.paused.includes(worker.queue),
        limit: status.queue_limits[worker.queue] ?? null,
        hasLimitedJobs: status.ready_in_turn.includes(worker.queue),
      });
      await worker.releaseWaiting(waitingAgeMaxMs);
    }
    for (const queue of [...status.ready, ...status.ready_in_turn]) workers.get(queue)?.worker.wake();
    const nextTickMs = (scheduler && status.next_tick_ms) ?? Infinity;
    const isTickDue = nextTickMs <= 0;
    if (scheduler && isTickDue)
      for (const queue of await scheduler.fireDue()) workers.get(queue)?.worker.wake();
    if (isTickDue || status.activated === activatedMax) return 0;
    // Timers have millisecond resolution. One more millisecond prevents a timer that fires before the due time.
    const nextMs = Math.min(status.next_job_ms ?? Infinity, nextTickMs, status.next_rate_ms ?? Infinity) + 1;
    return Math.min(settings.pollIntervalMs, nextMs);
  });

  const keeper = startKeeper({
    sql,
    held,
    leaseMs: settings.leaseMs,
    heartbeatMs: settings.heartbeatMs,
    logger,
    describe: () => {
      const used = process.cpuUsage(cpuBefore);
      const elapsedMs = performance.now() - cpuMeasuredAtMs;
      cpuBefore = process.cpuUsage();
      cpuMeasuredAtMs = performance.now();
      return {
        id: serverId,
        name: deps.serverName,
        processId: process.pid,
        isScheduler: deps.isScheduler,
        rssBytes: process.memoryUsage.rss(),
        cpuPercent: elapsedMs > 0 ? (used.user + used.system) / 10 / elapsedMs : 0,
        workers: [...workers.values()].map(({ id, worker }) => ({
          id,
          queue: worker.queue,
          concurrency: worker.concurrency,
          running: worker.running(),
        })),
      };
    },
  });
  const groups = startGroups(sql, settings.retention, logger);
  const upkeep = deps.isScheduler
    ? [
        startSweeper({ sql, settings, logger, onGroupsChanged: () => groups.wake() }),
        startHousekeeper(sql, settings.retentionCountMax, logger),
        startClockWatch({
          sql,
          logger,
          onSetBack: (event) => {
            pulse.wake();
            deps.onClockSetBack(event);
          },
        }),
      ]
    : [];
  // Loops start one after the other, so a start needs few sessions.
  const begin = async () => {
    for (const loop of [pulse, keeper, groups, ...upkeep]) {
      loop.wake();
      await loop.firstRun.catch(() => undefined);
    }
  };
  void begin();

  const onHint = (payload: string) => {
    const hint = parseHint(payload);
    switch (hint.kind) {
      case 'JobsReady':
        return workers.get(hint.queue)?.worker.wake();
      case 'CancelRequested':
        return held.get(hint.jobId)?.abort('Cancelled');
      case 'GroupsChanged':
        return groups.wake();
      case 'TimesChanged':
        return pulse.wake();
    }
  };
  const listener =
    deps.listen &&
    startListener({
      connection: deps.listen,
      channel: sql.channel,
      logger,
      onHint,
      // Hints of jobs and of cancellations may have been lost while disconnected.
      onConnected: () => {
        pulse.wake();
        keeper.wake();
        groups.wake();
      },
    });

  const letEnd = async (timeoutMs: number) => {
    if (await endsWithin(Promise.allSettled(executions), timeoutMs)) return;
    for (const job of held.all()) if (job.startedAtMs !== null) job.abort('Stopping');
    await endsWithin(Promise.allSettled(executions), abortGraceMs);
  };

  const stop = async (timeoutMs: number) => {
    await Promise.all([...workers.values()].map(({ worker }) => worker.stopClaiming()));
    await Promise.all([
      pulse.stop(),
      ...upkeep.map((loop) => loop.stop()),
      groups.stop(),
      listener?.stop(),
      giveBack(held.all().filter((job) => job.startedAtMs === null)),
    ]);
    await letEnd(timeoutMs);
    if (!(await endsWithin(finisher.drained(), abortGraceMs))) {
      finisher.abandon();
      logger.warn({}, 'ends of jobs could not be recorded before the stop; their leases will run out');
    }
    await keeper.stop();
    await giveBack(held.all());
    await notes
      .stop()
      .catch((error) => logger.warn({ error: errorText(error) }, 'notes of jobs could not be stored'));
    await removeServer(sql, serverId).catch((error) =>
      logger.warn({ error: errorText(error) }, 'the row of the process could not be removed'),
    );
  };

  return {
    serverId,
    started: keeper.firstRun,
    wake: (queue) => workers.get(queue)?.worker.wake(),
    wakePulse: () => pulse.wake(),
    stop,
  };
}

/** Returns the default name of a process in lists: host and process id. */
export const defaultServerName = (): string => `${os.hostname()}:${process.pid}`;

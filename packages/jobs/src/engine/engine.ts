import type pg from 'pg';
import { uuidV7 } from '../db/uuid.ts';
import type { Sql } from '../sql/statement.ts';
import { applyHint } from './apply-hint.ts';
import type { RegisteredHandler } from './handler.ts';
import { startListener } from './listener.ts';
import type { JobsLogger } from './logger.ts';
import type { Loop } from './loop.ts';
import { startPulse } from './pulse.ts';
import { createServerReport } from './server-report.ts';
import type { EngineSettings } from './settings.ts';
import { stopEngine } from './stop.ts';
import { type ClockSetBack, startClockWatch } from './upkeep/clock-watch.ts';
import { startGroups } from './upkeep/groups.ts';
import { startHousekeeper } from './upkeep/housekeeper.ts';
import { startKeeper } from './upkeep/keeper.ts';
import { createScheduler } from './upkeep/scheduler.ts';
import { startSweeper } from './upkeep/sweeper.ts';
import { createExecutions } from './work/executions.ts';
import { createFinisher } from './work/finisher.ts';
import { createHeldJobs } from './work/held-jobs.ts';
import { applyRecordedEnds } from './work/recorded-ends.ts';
import { createRunNotes, type JobProgress } from './work/run-notes.ts';
import { createAnnounce, type Transition } from './work/transitions.ts';
import { startWorkers } from './work/workers.ts';

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

/** Starts the maintenance on behalf of all processes. */
function startUpkeep(
  { sql, settings, logger, onClockSetBack }: EngineDeps,
  pulse: Loop,
  groups: Loop,
): Loop[] {
  return [
    startSweeper({ sql, settings, logger, onGroupsChanged: () => groups.wake() }),
    startHousekeeper(sql, settings.retentionCountMax, logger),
    startClockWatch({
      sql,
      logger,
      onSetBack: (event) => {
        pulse.wake();
        onClockSetBack(event);
      },
    }),
  ];
}

/** Runs each loop for the first time, one after the other, so a start needs few sessions. */
async function runInSequence(loops: readonly Loop[]): Promise<void> {
  for (const loop of loops) {
    loop.wake();
    await loop.firstRun.catch(() => undefined);
  }
}

/** Starts all workers, loops and the listener of a process. */
export function startEngine(deps: EngineDeps): Engine {
  const { sql, settings, logger, isScheduler } = deps;
  const { retention, leaseMs } = settings;
  const serverId = uuidV7();
  const held = createHeldJobs();
  const notes = createRunNotes(sql, logger, deps.onProgress);
  const announce = createAnnounce(deps.onTransition, logger);
  const groups = startGroups(sql, retention, logger);

  const finisher = createFinisher({
    sql,
    retention,
    logger,
    onRecorded: (ends, recorded) =>
      applyRecordedEnds({ held, workers, announce, groups, pulse }, ends, recorded),
  });
  const executions = createExecutions({
    sql,
    held,
    completedMs: retention.completedMs,
    notes,
    finisher,
    announce,
    logger,
  });
  const workers = startWorkers({
    sql,
    queues: deps.queues,
    prefetchMax: settings.prefetchMax,
    handlers: deps.handlers,
    held,
    leaseMs,
    logger,
    onRateUsed: () => pulse.wake(),
    execute: executions.run,
  });
  const pulse = startPulse({
    sql,
    workers,
    scheduler: isScheduler ? createScheduler(sql, logger) : null,
    pollIntervalMs: settings.pollIntervalMs,
    logger,
  });
  const keeper = startKeeper({
    sql,
    held,
    leaseMs,
    heartbeatMs: settings.heartbeatMs,
    logger,
    describe: createServerReport({ serverId, serverName: deps.serverName, isScheduler }, workers),
  });
  const upkeep = isScheduler ? startUpkeep(deps, pulse, groups) : [];
  void runInSequence([pulse, keeper, groups, ...upkeep]);
  const listener =
    deps.listen &&
    startListener({
      connection: deps.listen,
      channel: sql.channel,
      logger,
      onHint: (payload) => applyHint({ held, workers, groups, pulse }, payload),
      // Hints of jobs and of cancellations may have been lost while disconnected.
      onConnected: () => {
        pulse.wake();
        keeper.wake();
        groups.wake();
      },
    });

  return {
    serverId,
    started: keeper.firstRun,
    wake: (queue) => workers.get(queue)?.wake(),
    wakePulse: () => pulse.wake(),
    stop: (timeoutMs) =>
      stopEngine(
        {
          sql,
          logger,
          serverId,
          held,
          workers,
          executions,
          finisher,
          notes,
          pulse,
          groups,
          upkeep,
          listener,
          keeper,
        },
        timeoutMs,
      ),
  };
}

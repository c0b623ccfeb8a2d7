import { timedQuery } from '@svc/pg-wire';
import type pg from 'pg';
import { openPool } from '../db/connections.ts';
import { isDatabaseAway } from '../db/database-away.ts';
import { defaultSchema } from '../db/schema.ts';
import { type Engine, startEngine } from '../engine/engine.ts';
import { type JobHandler, type RegisteredHandler, registerHandler } from '../engine/handler.ts';
import { type JobsLogger, silentLogger } from '../engine/logger.ts';
import { defaultServerName } from '../engine/server-report.ts';
import { type EngineOptions, resolveSettings } from '../engine/settings.ts';
import type { ClockSetBack } from '../engine/upkeep/clock-watch.ts';
import type { JobProgress } from '../engine/work/run-notes.ts';
import type { Transition } from '../engine/work/transitions.ts';
import { errorText, JobsError } from '../errors.ts';
import { createEndpointReads, type EndpointReads } from '../observability/reads.ts';
import { type CancelOutcome, cancelJobs, type RequeueOutcome, requeueJobs } from '../sql/jobs/change-jobs.ts';
import { type JobLogEntry, type JobRecord, readJob, readLog } from '../sql/jobs/read-jobs.ts';
import { createSql } from '../sql/statement.ts';
import type { Job, Message } from './declare.ts';
import { type Enqueued, type EnqueueItem, type EnqueueOptions, enqueueJobs } from './enqueue.ts';
import { createEngineDb, createPoolExecutor, type Executor } from './executor.ts';
import { type BatchDefinition, type CreatedBatch, createBatch, publishMessage } from './groups.ts';
import { createQueues, type Queues } from './queues.ts';
import { createReads, type Reads } from './reads.ts';
import { createSchedules, type Schedules } from './schedules.ts';
import { asTransaction } from './transaction.ts';

/** Default number of jobs of a queue that one process runs at the same time. */
const defaultConcurrency = 10;
/** Default time for running jobs to end at a stop. It keeps a complete stop under 30 s. */
const defaultStopTimeoutMs = 20_000;
const ownPoolMax = 10;
/** Maximum number of rows that a read of a job's history returns. */
const historyLengthMax = 1_000;

/** Options of `createJobs`. Exactly one of `pool` and `connection` is required. */
export type JobsOptions = EngineOptions & {
  /** Pool of the caller. `stop()` does not close it. The engine uses three or four of its connections at a time. */
  readonly pool?: pg.Pool;
  /** Connection settings of a pool that the library opens and `stop()` closes. */
  readonly connection?: pg.ClientConfig;
  /** Schema of the tables. Default `svc_jobs`. */
  readonly schema?: string;
  /**
   * Settings of the connection that listens for hints: a session, not a transaction pooler. Default: those of the pool.
   * `false`: no listening, only polling.
   */
  readonly listen?: pg.ClientConfig | false;
  /** Default: no log output. */
  readonly logger?: JobsLogger;
  /** Clock for tests. Null (the default) means PostgreSQL's clock. */
  readonly clock?: () => Date | null;
  /**
   * Queues to serve, with the maximum number of their jobs that run in this process. Default: queues of the handlers,
   * 10 each.
   */
  readonly queues?: Readonly<Record<string, { readonly concurrency: number }>>;
  /**
   * Enables the maintenance tasks: fire recurring schedules, reclaim jobs of dead processes, remove expired rows. At
   * least one process must run them. They need no queue. Default true.
   */
  readonly isScheduler?: boolean;
  /** Name of the process in lists. Default: host and process id. */
  readonly serverName?: string;
  /** Called for each state change of a job that this process made, after the change was stored. */
  readonly onTransition?: (transition: Transition) => void;
  /** Called with the progress of this process's jobs, after it was stored. */
  readonly onProgress?: (progress: JobProgress) => void;
};

/** Job library of one process. */
export type Jobs = {
  /** Runs single statements on the pool, for jobs that are not part of a transaction. */
  readonly executor: Executor;
  /**
   * Registers the handler of a declaration. Call it before `start()`.
   *
   * @throws JobsError `HandlerExists`, `AlreadyStarted`.
   */
  handle<T>(job: Job<T>, handler: JobHandler<T>): void;
  /**
   * Registers a listener for the event that the database clock was ahead and was set back. Schedules are re-anchored
   * before the call. Only one of several processes calls its listeners.
   */
  onClockSetBack(listener: (event: ClockSetBack) => void): void;
  /**
   * Starts to run jobs. A process that only enqueues jobs does not call it. Retries while the database is unavailable.
   *
   * @throws Error when the tables do not exist.
   */
  start(): Promise<void>;
  /**
   * Stops the engine: claims no more jobs and waits `timeoutMs` (default 20 s) for running jobs to end. Then aborts
   * their signals and returns unfinished jobs to their queue. Closes the pool that the library opened. Repeated calls
   * are allowed.
   */
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
  /** Enqueues a job in the caller's transaction. The job exists if and only if that transaction commits. */
  enqueue<T>(executor: Executor, job: Job<T>, payload: T, options?: EnqueueOptions): Promise<Enqueued>;
  /** Enqueues several jobs of one declaration with one statement. Results are in the order of the items. */
  enqueueMany<T>(
    executor: Executor,
    job: Job<T>,
    items: readonly EnqueueItem<T>[],
    options?: EnqueueOptions,
  ): Promise<Enqueued[]>;
  /** Cancels a job. A waiting job ends immediately. The signal of a running job is aborted. */
  cancel(executor: Executor, jobId: string): Promise<CancelOutcome>;
  cancelMany(executor: Executor, jobIds: readonly string[]): Promise<Map<string, CancelOutcome>>;
  /** Makes an ended job or a job that is not yet due ready immediately, with all its attempts. */
  requeue(executor: Executor, jobId: string): Promise<RequeueOutcome>;
  requeueMany(executor: Executor, jobIds: readonly string[]): Promise<Map<string, RequeueOutcome>>;
  /**
   * Publishes a message in the caller's transaction: enqueues one job for each of its handlers. The message ends when
   * all these jobs have ended.
   */
  publish<T>(
    executor: Executor,
    message: Message<T>,
    payload: T,
    options?: EnqueueOptions,
  ): Promise<{ readonly messageId: string; readonly jobIds: readonly string[] }>;
  /** Creates a batch in the caller's transaction: a set of jobs, and optionally a job that runs after all of them. */
  createBatch(
    executor: Executor,
    definition: BatchDefinition,
    options?: EnqueueOptions,
  ): Promise<CreatedBatch>;
  readonly schedules: Schedules;
  /** Pause, resume, limit and list queues. */
  readonly queues: Queues;
  /** Recorded calls of HTTP endpoints, of this process and others. */
  readonly endpoints: EndpointReads;
  /** Lists, counts and statistics. */
  readonly read: Reads;
  /**
   * Executes one short statement on the pool of the library.
   *
   * @param timeoutMs  Deadline. When it passes, the session is destroyed. Idle sessions that were silent for that
   *   duration are destroyed too.
   * @throws The error of the pool.
   */
  probe(timeoutMs: number): Promise<void>;
  /** Returns one job; null when it does not exist. */
  get(jobId: string): Promise<JobRecord | null>;
  /** Returns the log of a job, oldest entry first, at most 1,000 entries. */
  history(jobId: string): Promise<JobLogEntry[]>;
};

function openOwnPool(connection: pg.ClientConfig, logger: JobsLogger): pg.Pool {
  const config: pg.PoolConfig = {
    ...connection,
    max: ownPoolMax,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: connection.application_name ?? 'svc-jobs',
  };
  return openPool(config, (error) => logger.warn({ error: errorText(error) }, 'a connection was lost'));
}

/** Returns the settings of a pool for a single client. `pg` hides the password from enumeration, so it is copied by name. */
function connectionOf(pool: pg.Pool): pg.ClientConfig {
  const { password, ssl } = pool.options;
  return {
    ...pool.options,
    ...(password === undefined ? {} : { password }),
    ...(ssl === undefined ? {} : { ssl }),
  };
}

function queuesToServe(
  options: JobsOptions,
  handlers: ReadonlyMap<string, RegisteredHandler>,
): Map<string, number> {
  const queues = options.queues
    ? Object.entries(options.queues).map(([name, { concurrency }]) => [name, concurrency] as const)
    : [...handlers.values()].map(({ job }) => [job.queue, defaultConcurrency] as const);
  for (const [name, concurrency] of queues) {
    if (!Number.isInteger(concurrency) || concurrency < 1) {
      throw new RangeError(`The concurrency of the queue ${name} must be a whole number of at least 1.`);
    }
  }
  return new Map(queues);
}

/**
 * Creates the job library of one process. The schema must be migrated (`migrateJobs`) before a caller enqueues jobs or
 * calls `start()`.
 *
 * @throws RangeError on a setting out of its range; Error unless exactly one of `pool` and `connection` is present.
 */
export function createJobs(options: JobsOptions): Jobs {
  const logger = options.logger ?? silentLogger;
  const settings = resolveSettings(options);
  if ((options.pool === undefined) === (options.connection === undefined)) {
    throw new Error('createJobs needs either a pool or a connection.');
  }
  const ownPool = options.connection ? openOwnPool(options.connection, logger) : null;
  const pool = options.pool ?? ownPool;
  if (!pool) throw new Error('createJobs needs either a pool or a connection.');
  const sql = createSql(createEngineDb(pool), options.schema ?? defaultSchema, options.clock ?? (() => null));
  const handlers = new Map<string, RegisteredHandler>();
  const clockListeners: ((event: ClockSetBack) => void)[] = [];
  let engine: Engine | null = null;
  let stopping: Promise<void> | null = null;

  const executor = createPoolExecutor(pool);

  const own = { executor, pool };

  const afterEnqueue = (used: Executor, queue: string) => {
    // The library's own executor has committed the job already, so the hint need not travel through the server.
    if (used === executor) engine?.wake(queue);
  };

  const stopAll = async (timeoutMs: number) => {
    await engine?.stop(timeoutMs);
    await ownPool?.end();
  };

  return {
    executor,
    handle: (job, handler) => {
      if (engine)
        throw new JobsError('AlreadyStarted', `Register the handler of ${job.name} before start().`);
      if (handlers.has(job.name)) throw new JobsError('HandlerExists', `${job.name} has a handler already.`);
      handlers.set(job.name, registerHandler(job, handler));
    },
    onClockSetBack: (listener) => void clockListeners.push(listener),
    start: async () => {
      if (engine) throw new JobsError('AlreadyStarted', 'start() was called before.');
      engine = startEngine({
        sql,
        settings,
        handlers,
        queues: queuesToServe(options, handlers),
        isScheduler: options.isScheduler ?? true,
        logger,
        listen: options.listen === false ? null : (options.listen ?? connectionOf(pool)),
        serverName: options.serverName ?? defaultServerName(),
        onTransition: options.onTransition ?? null,
        onProgress: options.onProgress ?? null,
        onClockSetBack: (event) => {
          for (const listener of clockListeners) listener(event);
        },
      });
      await engine.started.catch((error: unknown) => {
        // The engine retries: a database that is briefly unavailable must not fail the start of a process.
        if (!isDatabaseAway(error)) throw error;
      });
    },
    stop: (stopOptions) => {
      stopping ??= stopAll(stopOptions?.timeoutMs ?? defaultStopTimeoutMs);
      return stopping;
    },
    enqueue: async (used, job, payload, enqueueOptions = {}) => {
      const [result] = await enqueueJobs(sql, used, job, [{ payload }], enqueueOptions, { batchId: null });
      if (!result) throw new Error('One item was enqueued without a result.');
      afterEnqueue(used, enqueueOptions.queue ?? job.queue);
      return result;
    },
    enqueueMany: async (used, job, items, enqueueOptions = {}) => {
      const results = await enqueueJobs(sql, used, job, items, enqueueOptions, { batchId: null });
      afterEnqueue(used, enqueueOptions.queue ?? job.queue);
      return results;
    },
    cancel: async (used, jobId) =>
      (await cancelJobs(sql, used, [jobId], settings.retention.cancelledMs)).get(jobId) ?? 'NotFound',
    cancelMany: (used, jobIds) => cancelJobs(sql, used, jobIds, settings.retention.cancelledMs),
    requeue: async (used, jobId) => (await requeueJobs(sql, used, [jobId])).get(jobId) ?? 'NotFound',
    requeueMany: (used, jobIds) => requeueJobs(sql, used, jobIds),
    publish: (used, message, payload, enqueueOptions = {}) =>
      asTransaction(used, own, (transaction) =>
        publishMessage(sql, transaction, message, payload, enqueueOptions),
      ),
    createBatch: (used, definition, enqueueOptions = {}) =>
      asTransaction(used, own, (transaction) => createBatch(sql, transaction, definition, enqueueOptions)),
    schedules: createSchedules(sql),
    queues: createQueues(sql),
    endpoints: createEndpointReads(sql),
    read: createReads(sql),
    probe: async (timeoutMs) => {
      await pool.query(timedQuery({ text: 'select 1' }, timeoutMs));
    },
    get: (jobId) => readJob(sql, jobId),
    history: (jobId) => readLog(sql, jobId, historyLengthMax),
  };
}

import { timedQuery } from '@svc/pg-wire';
import type pg from 'pg';
import { openPool } from '../db/connections.ts';
import { isDatabaseAway } from '../db/database-away.ts';
import { defaultSchema } from '../db/schema.ts';
import { defaultServerName, type Engine, startEngine, type Transition } from '../engine/engine.ts';
import { type JobHandler, type RegisteredHandler, registerHandler } from '../engine/handler.ts';
import { type JobsLogger, silentLogger } from '../engine/logger.ts';
import { type EngineOptions, resolveSettings } from '../engine/settings.ts';
import type { ClockSetBack } from '../engine/upkeep/clock-watch.ts';
import type { JobProgress } from '../engine/work/run-notes.ts';
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

/** How many jobs of a queue run at once in one process unless told otherwise. */
const defaultConcurrency = 10;
/** Time that running jobs have at a stop; with the rest of the stop this stays under 30 s. */
const defaultStopTimeoutMs = 20_000;
const ownPoolMax = 10;
/** Rows of a job's history that are read at most. */
const historyLengthMax = 1_000;

/** What `createJobs` takes: a pool to share, or a connection to open one of its own. */
export type JobsOptions = EngineOptions & {
  /** Pool of the caller's, not closed by `stop()`. The engine uses three or four connections of it at a time. */
  readonly pool?: pg.Pool;
  /** Connection for a pool of its own, closed by `stop()`. */
  readonly connection?: pg.ClientConfig;
  /** Schema of the tables. Default `svc_jobs`. */
  readonly schema?: string;
  /** Connection on which hints are heard, a session of its own (no transaction pooler). Default: the pool's; false: poll only. */
  readonly listen?: pg.ClientConfig | false;
  /** Default: none is written. */
  readonly logger?: JobsLogger;
  /** Time for tests; null (the default) means PostgreSQL's own. */
  readonly clock?: () => Date | null;
  /** Queues to serve with the number of their jobs that run here at once. Default: those of the handlers, 10 each. */
  readonly queues?: Readonly<Record<string, { readonly concurrency: number }>>;
  /**
   * Whether this process fires recurring schedules, takes back jobs of processes that are gone, and removes what has
   * expired: at least one process has to. It needs no queue. Default true.
   */
  readonly isScheduler?: boolean;
  /** Name of the process in lists. Default host and process id. */
  readonly serverName?: string;
  /** Told of each change of a job's state that this process made, after it was stored. */
  readonly onTransition?: (transition: Transition) => void;
  /** Told how far the jobs of this process have come, after it was stored. */
  readonly onProgress?: (progress: JobProgress) => void;
};

/** The job library of one process. */
export type Jobs = {
  /** Runs single statements on the pool; for jobs that are not part of a transaction. */
  readonly executor: Executor;
  /**
   * Registers the handler of a declaration; before `start()`.
   *
   * @throws JobsError `HandlerExists`, `AlreadyStarted`.
   */
  handle<T>(job: Job<T>, handler: JobHandler<T>): void;
  /**
   * Registers a listener for a clock of the database that was ahead and is set back. Schedules are anchored anew before
   * the call; of several processes one calls its listeners.
   */
  onClockSetBack(listener: (event: ClockSetBack) => void): void;
  /**
   * Begins to run jobs. A process that only enqueues does not call it. Rejects when the tables are not there; a database
   * that is away is tried again.
   */
  start(): Promise<void>;
  /**
   * Takes no more jobs, lets the running ones end for `timeoutMs` (default 20 s), then aborts their signals and gives
   * back those that have not ended. Closes the pool when it is the library's own. May be called again.
   */
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
  /** Enqueues a job in the caller's transaction: it exists when that commits, and only then. */
  enqueue<T>(executor: Executor, job: Job<T>, payload: T, options?: EnqueueOptions): Promise<Enqueued>;
  /** Enqueues many jobs of one declaration in one statement; the answers are in the order of the items. */
  enqueueMany<T>(
    executor: Executor,
    job: Job<T>,
    items: readonly EnqueueItem<T>[],
    options?: EnqueueOptions,
  ): Promise<Enqueued[]>;
  /** Cancels a job: a waiting one ends at once, a running one is asked to stop by its signal. */
  cancel(executor: Executor, jobId: string): Promise<CancelOutcome>;
  cancelMany(executor: Executor, jobIds: readonly string[]): Promise<Map<string, CancelOutcome>>;
  /** Makes an ended or not yet due job ready at once, with all its attempts before it. */
  requeue(executor: Executor, jobId: string): Promise<RequeueOutcome>;
  requeueMany(executor: Executor, jobIds: readonly string[]): Promise<Map<string, RequeueOutcome>>;
  /**
   * Publishes a message in the caller's transaction: enqueues one job for each of its handlers. The message ends when
   * all of them have.
   */
  publish<T>(
    executor: Executor,
    message: Message<T>,
    payload: T,
    options?: EnqueueOptions,
  ): Promise<{ readonly messageId: string; readonly jobIds: readonly string[] }>;
  /** Creates a batch in the caller's transaction: jobs that end together, and a job that runs after them. */
  createBatch(
    executor: Executor,
    definition: BatchDefinition,
    options?: EnqueueOptions,
  ): Promise<CreatedBatch>;
  /** Recurring schedules. */
  readonly schedules: Schedules;
  /** Queues: pause them, bound them, look at them. */
  readonly queues: Queues;
  /** Recorded calls of HTTP endpoints, of this process or another. */
  readonly endpoints: EndpointReads;
  /** Lists, counts and statistics. */
  readonly read: Reads;
  /**
   * Executes one short statement on the pool of the library.
   *
   * @param timeoutMs  Deadline. When it passes, the session is destroyed, and with it the idle ones that were silent for
   *   as long.
   * @throws The error of the pool.
   */
  probe(timeoutMs: number): Promise<void>;
  /** Reads one job; null when there is none. */
  get(jobId: string): Promise<JobRecord | null>;
  /** What was written about a job, oldest first. */
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

/** The settings of a pool as those of one client: pg hides the password from enumeration. */
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
 * Sets up the library for one process. The schema must have been migrated (`migrateJobs`) before jobs are enqueued
 * or `start()` is called.
 *
 * @throws RangeError on a setting out of its range; Error when neither or both of pool and connection are given.
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
    // Through the library's own executor the job is committed already; the hint need not come back from the server.
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
        // The engine tries again by itself: a database that is busy for a moment keeps no process from its start.
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

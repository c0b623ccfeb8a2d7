import { currentJobContext, metadataHere } from '../context.ts';
import { uuidV7 } from '../db/uuid.ts';
import { JobsError } from '../errors.ts';
import { findByDedupeKey, insertJobs, type NewJob, type SharedColumns } from '../sql/jobs/insert-jobs.ts';
import type { Sql } from '../sql/statement.ts';
import { checkAttemptsMax, checkName, checkPriority, type Job, type Message } from './declare.ts';
import type { Executor } from './executor.ts';
import { payloadText, toJsonText } from './payload.ts';

/** Options of an enqueue call. An omitted option takes its value from the declaration. */
export type EnqueueOptions = {
  readonly queue?: string;
  readonly priority?: number;
  readonly attemptsMax?: number;
  /** Delay until the job is due, measured by PostgreSQL's clock. */
  readonly delayMs?: number;
  /** Due time. A time in the past makes the job due immediately. Excludes `delayMs`. */
  readonly dueAt?: Date;
  /** Trace id as a uuid. Default: the trace id of the running job or request, else the job's id. */
  readonly traceId?: string;
  /** Metadata, stored with the job and passed to its handler. Default: the metadata of the running job. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Parent job. The job runs only after the parent completed (default), or after it ended in any final state. */
  readonly after?: { readonly jobId: string; readonly when?: 'Completed' | 'Ended' };
};

/** One job of an `enqueueMany` call or of a batch. */
export type EnqueueItem<T> = {
  readonly payload: T;
  readonly priority?: number;
  readonly dueAt?: Date;
};

/** Result of an enqueue call for one job. */
export type Enqueued = {
  readonly jobId: string;
  /** False when an equal job existed (see `dedupe` of the declaration). Then `jobId` identifies that job. */
  readonly isNew: boolean;
};

/** Batch or message that contains the enqueued jobs; null without one. */
export type Membership = { readonly batchId: string | null };

const integerMax = 0x7fffffff;
/** Maximum number of inserts for one call. A job that ends between the insert and the query frees its dedupe key. */
const dedupeTriesMax = 5;

function shared<T>(job: Job<T>, options: EnqueueOptions, membership: Membership): SharedColumns {
  if (options.delayMs !== undefined && !(options.delayMs >= 0 && Number.isFinite(options.delayMs))) {
    throw new JobsError(
      'InvalidOptions',
      `delayMs must be a number that is not negative: ${options.delayMs}.`,
    );
  }
  if (options.delayMs !== undefined && options.dueAt !== undefined) {
    throw new JobsError('InvalidOptions', 'Give delayMs or dueAt, not both.');
  }
  const context = currentJobContext();
  const metadata = metadataHere(options.metadata);
  return {
    name: job.name,
    queue: options.queue === undefined ? job.queue : checkName('The queue', options.queue),
    kind: 'Job',
    priority: options.priority === undefined ? job.priority : checkPriority(options.priority),
    attemptsMax:
      options.attemptsMax === undefined ? job.retry.attemptsMax : checkAttemptsMax(options.attemptsMax),
    delayMs: options.delayMs ?? null,
    dedupeEndsAtStart: job.dedupe?.until === 'Started',
    concurrencyLimit: concurrencyLimitOf(job),
    parentId: options.after?.jobId ?? null,
    runsAfterAny: options.after?.when === 'Ended',
    batchId: membership.batchId,
    spawnedBy: context?.jobId ?? null,
    scheduleKey: null,
    metadata: metadata ? toJsonText(`The metadata of ${job.name}`, metadata) : null,
  };
}

/** Returns the key under which the job shares its concurrency and rate limits; null when it has none. */
export function concurrencyKeyOf<T>(job: Job<T>, payload: T): string | null {
  const policy = job.concurrency ?? job.rateLimit;
  if (!policy) return null;
  return policy.key ? `${job.name}:${policy.key(payload)}` : job.name;
}

/**
 * Returns the maximum number of running jobs per key. A job with only a rate limit has a key, but no effective
 * concurrency limit.
 */
export function concurrencyLimitOf<T>(job: Job<T>): number | null {
  return job.concurrency?.limit ?? (job.rateLimit ? integerMax : null);
}

function dueDate(date: Date | undefined): Date | null {
  if (date !== undefined && Number.isNaN(date.getTime())) {
    throw new JobsError('InvalidOptions', 'dueAt is not a valid date.');
  }
  return date ?? null;
}

function newJob<T>(job: Job<T>, item: EnqueueItem<T>, options: EnqueueOptions): NewJob {
  return {
    id: uuidV7(),
    payload: payloadText(job, item.payload),
    dueAt: dueDate(item.dueAt ?? options.dueAt),
    dedupeKey: job.dedupe ? `${job.name}:${job.dedupe.key(item.payload)}` : null,
    concurrencyKey: concurrencyKeyOf(job, item.payload),
    priority: item.priority === undefined ? null : checkPriority(item.priority),
    traceId: options.traceId ?? currentJobContext()?.traceId ?? null,
  };
}

/** Returns the existing jobs with the dedupe keys of the rows, by row id. */
async function findHolders(
  sql: Sql,
  executor: Executor,
  rows: readonly NewJob[],
): Promise<Map<string, Enqueued>> {
  const keys = rows.map((row) => row.dedupeKey).filter((key) => key !== null);
  const holders = await findByDedupeKey(sql, executor, keys);
  const holdersById = new Map<string, Enqueued>();
  for (const row of rows) {
    const jobId = row.dedupeKey === null ? undefined : holders.get(row.dedupeKey);
    if (jobId !== undefined) holdersById.set(row.id, { jobId, isNew: false });
  }
  return holdersById;
}

/** Inserts the rows. A row whose dedupe key belongs to an existing job yields the id of that job. */
async function insertOrFind(
  sql: Sql,
  executor: Executor,
  columns: SharedColumns,
  rows: readonly NewJob[],
): Promise<Enqueued[]> {
  const results = new Map<string, Enqueued>();
  let open = rows;
  // The existing job may end between the two statements. Its key is then free, and the insert is repeated.
  for (let tries = 0; open.length > 0 && tries < dedupeTriesMax; tries += 1) {
    const { insertedIds, isParentMissing } = await insertJobs(sql, executor, columns, open);
    if (isParentMissing) {
      throw new JobsError('UnknownParent', `There is no job ${columns.parentId} to wait for.`);
    }
    if (insertedIds === null) return rows.map((row) => ({ jobId: row.id, isNew: true }));
    for (const id of insertedIds) results.set(id, { jobId: id, isNew: true });
    const left = open.filter((row) => !results.has(row.id));
    const duplicates = left.length > 0 ? await findHolders(sql, executor, left) : new Map<string, Enqueued>();
    for (const [id, result] of duplicates) results.set(id, result);
    open = left.filter((row) => !results.has(row.id));
  }
  return rows.map((row) => {
    const result = results.get(row.id);
    if (result) return result;
    throw new JobsError(
      'InvalidOptions',
      `The dedupe key ${row.dedupeKey} is held by a job that this transaction does not see; use read committed isolation.`,
    );
  });
}

/** Enqueues jobs of one declaration with one statement, in the caller's transaction. */
export function enqueueJobs<T>(
  sql: Sql,
  executor: Executor,
  job: Job<T>,
  items: readonly EnqueueItem<T>[],
  options: EnqueueOptions,
  membership: Membership,
): Promise<Enqueued[]> {
  const columns = shared(job, options, membership);
  const rows = items.map((item) => newJob(job, item, options));
  return rows.length === 0 ? Promise.resolve([]) : insertOrFind(sql, executor, columns, rows);
}

/** Inserts the row of a batch or message, which has members instead of a handler. */
export async function enqueueGroup<T>(
  sql: Sql,
  executor: Executor,
  kind: 'Batch' | 'Message',
  name: string,
  content: { readonly message: Message<T>; readonly payload: T } | null,
  options: EnqueueOptions,
): Promise<{ readonly id: string; readonly traceId: string }> {
  if (options.after)
    throw new JobsError('InvalidOptions', 'Members of a batch or message do not wait for a parent.');
  const context = currentJobContext();
  const id = uuidV7();
  const traceId = options.traceId ?? context?.traceId ?? id;
  const metadata = metadataHere(options.metadata);
  const columns: SharedColumns = {
    name: checkName('The name of a batch', name),
    queue: '',
    kind,
    priority: 0,
    attemptsMax: 1,
    delayMs: null,
    dedupeEndsAtStart: false,
    concurrencyLimit: null,
    parentId: null,
    runsAfterAny: false,
    batchId: null,
    spawnedBy: context?.jobId ?? null,
    scheduleKey: null,
    metadata: metadata ? toJsonText(`The metadata of ${name}`, metadata) : null,
  };
  const payload = content ? payloadText(content.message, content.payload) : null;
  const row = { id, payload, dueAt: null, dedupeKey: null, concurrencyKey: null, priority: null, traceId };
  await insertJobs(sql, executor, columns, [row]);
  return { id, traceId };
}

import { JobsError } from '../errors.ts';
import type { Sql } from '../sql/statement.ts';
import type { Job, Message } from './declare.ts';
import {
  type Enqueued,
  type EnqueueItem,
  type EnqueueOptions,
  enqueueGroup,
  enqueueJobs,
} from './enqueue.ts';
import type { Executor } from './executor.ts';

/** Member of a batch, created by `batchMember`. Members may have different declarations. */
export type BatchMember = {
  readonly enqueue: (
    sql: Sql,
    executor: Executor,
    options: EnqueueOptions,
    batchId: string | null,
  ) => Promise<Enqueued>;
};

/** Returns a job as a member of a batch. */
export function batchMember<T>(
  job: Job<T>,
  payload: T,
  item: Omit<EnqueueItem<T>, 'payload'> = {},
): BatchMember {
  return {
    enqueue: async (sql, executor, options, batchId) => {
      const [result] = await enqueueJobs(sql, executor, job, [{ ...item, payload }], options, { batchId });
      if (!result) throw new Error('One member was enqueued without a result.');
      return result;
    },
  };
}

/** Several members of one declaration, enqueued in one statement. */
export type BatchMembers = {
  readonly enqueueAll: (
    sql: Sql,
    executor: Executor,
    options: EnqueueOptions,
    batchId: string,
  ) => Promise<Enqueued[]>;
};

/** Returns several jobs of one declaration as members of a batch. */
export function batchMembers<T>(job: Job<T>, items: readonly EnqueueItem<T>[]): BatchMembers {
  return {
    enqueueAll: (sql, executor, options, batchId) =>
      enqueueJobs(sql, executor, job, items, options, { batchId }),
  };
}

/** Members and completion of a new batch. */
export type BatchDefinition = {
  /** Name in lists. Default `batch`. */
  readonly name?: string;
  readonly members: readonly (BatchMember | BatchMembers)[];
  /** Job that runs after the batch completed (default), or after it ended in any final state. */
  readonly completion?: { readonly member: BatchMember; readonly when?: 'Completed' | 'Ended' };
};

/** Ids of a new batch and its jobs. */
export type CreatedBatch = {
  readonly batchId: string;
  readonly jobIds: readonly string[];
  readonly completionJobId: string | null;
};

/** Creates a batch. The caller provides the transaction. */
export async function createBatch(
  sql: Sql,
  executor: Executor,
  definition: BatchDefinition,
  options: EnqueueOptions,
): Promise<CreatedBatch> {
  if (definition.members.length === 0)
    throw new JobsError('InvalidOptions', 'A batch needs at least one member.');
  const batch = await enqueueGroup(sql, executor, 'Batch', definition.name ?? 'batch', null, options);
  // Members share the batch's trace, unless the caller passed a trace id.
  const inBatch = { ...options, traceId: options.traceId ?? batch.traceId };
  const jobIds: string[] = [];
  for (const member of definition.members) {
    const results =
      'enqueue' in member
        ? [await member.enqueue(sql, executor, inBatch, batch.id)]
        : await member.enqueueAll(sql, executor, inBatch, batch.id);
    jobIds.push(...results.map((result) => result.jobId));
  }
  const completion = definition.completion;
  if (!completion) return { batchId: batch.id, jobIds, completionJobId: null };
  const after = { jobId: batch.id, when: completion.when ?? 'Completed' };
  const { jobId } = await completion.member.enqueue(sql, executor, { ...inBatch, after }, null);
  return { batchId: batch.id, jobIds, completionJobId: jobId };
}

/** Publishes a message: enqueues one job for each of its handlers. The caller provides the transaction. */
export async function publishMessage<T>(
  sql: Sql,
  executor: Executor,
  message: Message<T>,
  payload: T,
  options: EnqueueOptions,
): Promise<{ readonly messageId: string; readonly jobIds: readonly string[] }> {
  const group = await enqueueGroup(sql, executor, 'Message', message.name, { message, payload }, options);
  const inMessage = { ...options, traceId: options.traceId ?? group.traceId };
  const jobIds: string[] = [];
  for (const job of message.handlers) {
    const results = await enqueueJobs(sql, executor, job, [{ payload }], inMessage, { batchId: group.id });
    jobIds.push(...results.map((result) => result.jobId));
  }
  return { messageId: group.id, jobIds };
}

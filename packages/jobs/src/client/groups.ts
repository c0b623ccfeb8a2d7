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

/** A member of a batch, of any declaration; made by `batchMember`. */
export type BatchMember = {
  readonly enqueue: (
    sql: Sql,
    executor: Executor,
    options: EnqueueOptions,
    batchId: string | null,
  ) => Promise<Enqueued>;
};

/** A job as a member of a batch. */
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

/** Many jobs of one declaration as members of a batch. */
export function batchMembers<T>(job: Job<T>, items: readonly EnqueueItem<T>[]): BatchMembers {
  return {
    enqueueAll: (sql, executor, options, batchId) =>
      enqueueJobs(sql, executor, job, items, options, { batchId }),
  };
}

/** What a new batch is made of. */
export type BatchDefinition = {
  /** Name in lists. Default `batch`. */
  readonly name?: string;
  readonly members: readonly (BatchMember | BatchMembers)[];
  /** A job that runs when the batch ended: after it completed (default), or however it ended. */
  readonly completion?: { readonly member: BatchMember; readonly when?: 'Completed' | 'Ended' };
};

/** What was enqueued for a batch. */
export type CreatedBatch = {
  readonly batchId: string;
  readonly jobIds: readonly string[];
  readonly completionJobId: string | null;
};

/** Creates a batch in a transaction. */
export async function createBatch(
  sql: Sql,
  executor: Executor,
  definition: BatchDefinition,
  options: EnqueueOptions,
): Promise<CreatedBatch> {
  if (definition.members.length === 0)
    throw new JobsError('InvalidOptions', 'A batch needs at least one member.');
  const batch = await enqueueGroup(sql, executor, 'Batch', definition.name ?? 'batch', null, options);
  // Members share the batch's trace, unless another was given.
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

/** Publishes a message in a transaction: one job for each of its handlers. */
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

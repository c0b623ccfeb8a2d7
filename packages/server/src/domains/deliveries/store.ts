import { type RawBuilder, sql } from 'kysely';
import type { Executor, Tx } from '../../platform/db/index.ts';

/** An attempt that stands in the ledger as Queued. */
export type QueuedAttempt = {
  readonly id: number;
  readonly runId: number;
  readonly recipientId: number;
  readonly attempt: number;
  readonly dueAt: Date;
};

/** A delivery that could be made again: the last attempt for its recipient, whose message is still kept. */
export type UndoneDelivery = {
  readonly id: number;
  readonly runId: number;
  readonly recipientId: number;
  readonly projectId: number;
};

const returning = `returning id, run_id as "runId", recipient_id as "recipientId", attempt, due_at as "dueAt"`;

/** Orders one more attempt of each delivery; those for which one was ordered meanwhile are left out. */
export async function queueResends(
  tx: Tx,
  deliveryIds: readonly number[],
  userId: number | null,
): Promise<QueuedAttempt[]> {
  const { rows } = await tx.query<QueuedAttempt>(
    `insert into svc.deliveries (run_id, recipient_id, attempt, state, origin, message_id, ordered_by_user_id, due_at)
     select d.run_id, d.recipient_id, d.attempt + 1, 'Queued', 'Resend', d.message_id, $2, now()
     from svc.deliveries d where d.id = any($1::bigint[])
     order by d.run_id, d.recipient_id
     on conflict (run_id, recipient_id, attempt) do nothing ${returning}`,
    [deliveryIds, userId],
  );
  return rows;
}

/** Reasons after which another try of the same message may do better. */
const retriable = ['DeliveryFailed', 'ConnectionFailed', 'TimedOut', 'Http4xx', 'Http5xx'];
const retryDelaySecondsMax = 86_400;

/**
 * Orders what the recipients' retry policies ask for after the last attempts of a run: each wait twice the one before,
 * and none shorter than the destination asked for.
 */
export async function queueRetriesOf(tx: Tx, runId: number): Promise<QueuedAttempt[]> {
  const { rows } = await tx.query<QueuedAttempt>({
    name: 'deliveries-queue-retries',
    text: `with last as (
        select distinct on (d.recipient_id) d.*,
          (select count(*) from svc.deliveries m
           where m.run_id = d.run_id and m.recipient_id = d.recipient_id and m.origin = 'Retry') as made
        from svc.deliveries d where d.run_id = $1 order by d.recipient_id, d.attempt desc)
      insert into svc.deliveries (run_id, recipient_id, attempt, state, origin, message_id, due_at)
      select l.run_id, l.recipient_id, l.attempt + 1, 'Queued', 'Retry', l.message_id,
        now() + least(greatest(rc.retry_delay_seconds * power(2, l.made), l.retry_after_seconds), $3) * interval '1 second'
      from last l join svc.recipients rc on rc.id = l.recipient_id and rc.archived_at is null
      where l.state = 'Failed' and l.reason = any($2::text[]) and l.origin <> 'Resend' and l.made < rc.retries_max
      order by l.recipient_id
      on conflict (run_id, recipient_id, attempt) do nothing ${returning}`,
    values: [runId, retriable, retryDelaySecondsMax],
  });
  return rows;
}

/** A destination that is gone for good, and whose subscription it was. */
export type GoneRecipient = {
  readonly recipientId: number;
  readonly recipientName: string;
  readonly subscriptionId: number;
};

/**
 * Recipients whose destination answered in these attempts that it is gone. One that answered so before is left out:
 * whoever answers for the subscription knows.
 *
 * @param deliveryIds  Null: the run's own attempts.
 */
export async function goneRecipients(
  tx: Tx,
  runId: number,
  deliveryIds: readonly number[] | null,
): Promise<GoneRecipient[]> {
  const { rows } = await tx.query<GoneRecipient>({
    name: 'deliveries-gone-recipients',
    text: `select d.recipient_id as "recipientId", rc.name as "recipientName",
        r.subscription_id as "subscriptionId"
      from svc.deliveries d join svc.runs r on r.id = d.run_id
        join svc.recipients rc on rc.id = d.recipient_id
      where d.run_id = $1 and d.state = 'Failed' and d.reason = 'HttpGone'
        and case when $2::bigint[] is null then d.origin = 'Run' else d.id = any($2::bigint[]) end
        and (select b.reason from svc.deliveries b join svc.runs br on br.id = b.run_id
             where b.recipient_id = d.recipient_id and br.subscription_id = r.subscription_id and b.id < d.id
             order by b.id desc limit 1) is distinct from 'HttpGone'
      order by d.recipient_id`,
    values: [runId, deliveryIds],
  });
  return rows;
}

export async function setJobOf(tx: Tx, deliveryIds: readonly number[], jobId: string): Promise<void> {
  await tx.query('update svc.deliveries set job_id = $2 where id = any($1::bigint[])', [deliveryIds, jobId]);
}

export type UndoneFilter = {
  readonly runId?: number | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly subscriptionId?: number | undefined;
  readonly recipientId?: number | undefined;
  /** Those that may have arrived, because nobody knows how they ended. */
  readonly includesUnknown: boolean;
};

/** Failed deliveries that the caller may see, in projects that the caller may write in, oldest first. */
export async function findUndone(
  executor: Executor,
  scope: { readonly visible: RawBuilder<boolean>; readonly writable: RawBuilder<unknown> },
  filter: UndoneFilter,
  limit: number,
): Promise<UndoneDelivery[]> {
  let found = executor.kysely
    .selectFrom('svc.deliveries as d')
    .innerJoin('svc.runs as r', 'r.id', 'd.run_id')
    .innerJoin('svc.queries as q', 'q.id', 'r.query_id')
    .select(['d.id', 'd.run_id as runId', 'd.recipient_id as recipientId', 'q.project_id as projectId'])
    .where('d.state', 'in', filter.includesUnknown ? ['Failed', 'Unknown'] : ['Failed'])
    .where('r.message_sealed', 'is not', null)
    .where('r.status', '<>', 'Created')
    .where(scope.visible)
    .where(
      sql<boolean>`q.project_id in (select w.project_id from ${scope.writable} w where w.right_level >= 2)`,
    )
    .where(isLastAttempt);
  if (filter.runId !== undefined) found = found.where('d.run_id', '=', filter.runId);
  if (filter.from) found = found.where('d.started_at', '>=', filter.from);
  if (filter.to) found = found.where('d.started_at', '<', filter.to);
  if (filter.subscriptionId !== undefined)
    found = found.where('r.subscription_id', '=', filter.subscriptionId);
  if (filter.recipientId !== undefined) found = found.where('d.recipient_id', '=', filter.recipientId);
  return found.orderBy('d.id').limit(limit).execute();
}

const isLastAttempt = sql<boolean>`not exists (select from svc.deliveries l
  where l.run_id = d.run_id and l.recipient_id = d.recipient_id and l.attempt > d.attempt)`;

/** One delivery of a run, with what decides whether it can be made again. */
export type OrderedDelivery = {
  readonly state: string;
  readonly recipientId: number;
  readonly isLast: boolean;
  readonly isMessageKept: boolean;
  readonly isRunOver: boolean;
};

export async function findDelivery(
  executor: Executor,
  runId: number,
  deliveryId: number,
): Promise<OrderedDelivery | undefined> {
  const { rows } = await executor.query<OrderedDelivery>(
    `select d.state, d.recipient_id as "recipientId", r.message_sealed is not null as "isMessageKept",
       r.status <> 'Created' as "isRunOver",
       not exists (select from svc.deliveries l
         where l.run_id = d.run_id and l.recipient_id = d.recipient_id and l.attempt > d.attempt) as "isLast"
     from svc.deliveries d join svc.runs r on r.id = d.run_id where d.id = $2 and d.run_id = $1`,
    [runId, deliveryId],
  );
  return rows[0];
}

/** Attempts that an earlier try of their job left under way: nobody knows how they ended. */
export async function markInterruptedAttempts(
  executor: Executor,
  deliveryIds: readonly number[],
): Promise<void> {
  await executor.query(
    `update svc.deliveries set state = 'Unknown', reason = 'Interrupted', finished_at = now()
     where id = any($1::bigint[]) and state = 'Sending'`,
    [deliveryIds],
  );
}

/** Ends attempts that were never begun. */
export async function skipQueued(
  executor: Executor,
  deliveryIds: readonly number[],
  reason: 'MessageGone' | 'NotMade',
): Promise<void> {
  await executor.query(
    `update svc.deliveries set state = 'Skipped', reason = $2, finished_at = now()
     where id = any($1::bigint[]) and state = 'Queued'`,
    [deliveryIds, reason],
  );
}

/** Marks a failed run as recovered once every recipient has its message. Returns whether everybody has. */
export async function markRecovered(tx: Tx, runId: number): Promise<boolean> {
  // One after the other: of two attempts that end at once, the later one sees both.
  await tx.query('select from svc.runs where id = $1 for update', [runId]);
  const { rows } = await tx.query<{ isSent: boolean }>(
    `select bool_and(state = 'Sent') as "isSent" from
       (select distinct on (recipient_id) state from svc.deliveries where run_id = $1 order by recipient_id, attempt desc) l`,
    [runId],
  );
  const isSent = rows[0]?.isSent === true;
  if (isSent)
    await tx.query(
      `update svc.runs set recovered_at = now() where id = $1 and status = 'Failed' and recovered_at is null`,
      [runId],
    );
  return isSent;
}

const isJobOver = `not exists (select from svc_jobs.job j
  where j.id = d.job_id and j.state not in ('Completed', 'Failed', 'Cancelled'))`;

/** Ordered attempts whose job is over: those never begun are skipped, those under way are unknown. */
export async function endOrphans(executor: Executor): Promise<void> {
  await executor.query(
    `update svc.deliveries d set finished_at = now(),
       state = case d.state when 'Queued' then 'Skipped' else 'Unknown' end,
       reason = case d.state when 'Queued' then 'NotMade' else 'Interrupted' end
     where d.state in ('Queued', 'Sending') and d.origin <> 'Run' and d.started_at < now() - interval '2 minutes'
       and ${isJobOver}`,
  );
}

/** Deliveries that a crash cut short: nobody knows whether they arrived, and nothing sends them again by itself. */
export async function markInterruptedDeliveries(executor: Executor, runId: number): Promise<void> {
  await executor.query(
    `update svc.deliveries set state = 'Unknown', reason = 'Interrupted', finished_at = now() where run_id = $1 and state = 'Sending' and origin = 'Run'`,
    [runId],
  );
}

/** Attached recipients to whom this run has not been sent in any way yet. */
export async function pendingRecipients(
  executor: Executor,
  runId: number,
  subscriptionId: number,
): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>({
    name: 'runs-pending-recipients',
    text: `select sr.recipient_id as id from svc.subscription_recipients sr
      join svc.recipients rc on rc.id = sr.recipient_id and rc.archived_at is null
      where sr.subscription_id = $2
        and not exists (select from svc.deliveries d where d.run_id = $1 and d.recipient_id = sr.recipient_id)
      order by sr.recipient_id`,
    values: [runId, subscriptionId],
  });
  return rows.map((row) => row.id);
}

export type DeliveryResult = {
  recipientId: number;
  state: 'Queued' | 'Sending' | 'Sent' | 'Failed' | 'Unknown' | 'Skipped';
  reason: string | null;
  notes: string[];
};

/** What the ledger says of a run: the last attempt for each recipient. */
export async function deliveryResults(executor: Executor, runId: number): Promise<DeliveryResult[]> {
  const { rows } = await executor.query<DeliveryResult>({
    name: 'runs-delivery-results',
    text: `select distinct on (recipient_id) recipient_id as "recipientId", state, reason, notes from svc.deliveries
      where run_id = $1 order by recipient_id, attempt desc`,
    values: [runId],
  });
  return rows;
}

import { type RawBuilder, sql } from 'kysely';
import type { MessageKey, RunKey } from '../../gateways/send/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';

/** An attempt in the ledger with state Queued. */
export type QueuedAttempt = {
  readonly id: number;
  readonly runId: number;
  readonly runDueAt: Date;
  readonly messageNo: number;
  readonly recipientId: number;
  readonly attempt: number;
  readonly dueAt: Date;
};

/** A delivery that can be resent: the last attempt for its recipient, with a stored message. */
export type UndoneDelivery = {
  readonly id: number;
  readonly runDueAt: Date;
};

const returning = `returning id, run_id as "runId", run_due_at as "runDueAt", message_no as "messageNo",
  recipient_id as "recipientId", attempt, due_at as "dueAt"`;

/** Returns the ids and due times of deliveries as column arrays. */
const idColumns = (deliveries: readonly UndoneDelivery[]): unknown[][] => [
  deliveries.map(({ id }) => id),
  deliveries.map(({ runDueAt }) => runDueAt),
];

/** Queues one more attempt per delivery. Skips deliveries for which another attempt was queued meanwhile. */
export async function queueResends(
  tx: Tx,
  deliveries: readonly UndoneDelivery[],
  userId: number | null,
): Promise<QueuedAttempt[]> {
  const { rows } = await tx.query<QueuedAttempt>(
    `insert into svc.deliveries (run_id, run_due_at, message_no, recipient_id, attempt, state, origin, message_id,
       ordered_by_user_id, due_at)
     select d.run_id, d.run_due_at, d.message_no, d.recipient_id, d.attempt + 1, 'Queued', 'Resend', d.message_id, $3, now()
     from svc.deliveries d join unnest($1::bigint[], $2::timestamptz[]) as u (id, run_due_at)
       on d.id = u.id and d.run_due_at = u.run_due_at
     order by d.run_id, d.message_no, d.recipient_id
     on conflict (run_id, run_due_at, message_no, recipient_id, attempt) do nothing ${returning}`,
    [...idColumns(deliveries), userId],
  );
  return rows;
}

/** Failure reasons after which another attempt may succeed. */
const retriable = [
  'DeliveryFailed',
  'RefusedForNow',
  'ConnectionFailed',
  'NameNotFound',
  'NotReached',
  'TimedOut',
  'Http4xx',
  'Http5xx',
  'TlsFailed',
  'TlsNotSpoken',
  'CertificateNotTrusted',
];
const retryDelaySecondsMax = 86_400;

/**
 * Queues retries according to the recipients' retry policies. Each delay is twice the preceding delay, and at least the
 * delay that the destination requested.
 */
export async function queueRetriesOf(tx: Tx, run: RunKey): Promise<QueuedAttempt[]> {
  const { rows } = await tx.query<QueuedAttempt>({
    name: 'deliveries-queue-retries',
    text: `with last as (
        select distinct on (d.message_no, d.recipient_id) d.*,
          count(*) filter (where d.origin = 'Retry') over (partition by d.message_no, d.recipient_id) as made
        from svc.deliveries d where d.run_id = $1 and d.run_due_at = $2
        order by d.message_no, d.recipient_id, d.attempt desc)
      insert into svc.deliveries (run_id, run_due_at, message_no, recipient_id, attempt, state, origin, message_id, due_at)
      select l.run_id, l.run_due_at, l.message_no, l.recipient_id, l.attempt + 1, 'Queued', 'Retry', l.message_id,
        now() + least(greatest(rc.retry_delay_seconds * power(2, l.made), l.retry_after_seconds), $4) * interval '1 second'
      from last l join svc.recipients rc on rc.id = l.recipient_id and rc.archived_at is null
      where l.state = 'Failed' and l.reason = any($3::text[]) and l.origin <> 'Resend' and l.made < rc.retries_max
      order by l.message_no, l.recipient_id
      on conflict (run_id, run_due_at, message_no, recipient_id, attempt) do nothing ${returning}`,
    values: [run.id, run.dueAt, retriable, retryDelaySecondsMax],
  });
  return rows;
}

/** A recipient whose destination no longer exists. */
export type GoneRecipient = { readonly recipientId: number; readonly recipientName: string };

/**
 * Returns recipients whose destination responded in these attempts that it no longer exists. Skips recipients whose
 * preceding delivery failed for the same reason, because the responsible user already has a notice.
 *
 * @param deliveryIds  Null means the run's own attempts.
 */
export async function goneRecipients(
  tx: Tx,
  run: RunKey,
  subscriptionId: number,
  deliveryIds: readonly number[] | null,
): Promise<GoneRecipient[]> {
  const { rows } = await tx.query<GoneRecipient>({
    name: 'deliveries-gone-recipients',
    text: `select d.recipient_id as "recipientId", rc.name as "recipientName"
      from svc.deliveries d join svc.recipients rc on rc.id = d.recipient_id
      where d.run_id = $1 and d.run_due_at = $2 and d.state = 'Failed' and d.reason = 'HttpGone'
        and case when $4::bigint[] is null then d.origin = 'Run' else d.id = any($4::bigint[]) end
        and (select b.reason from svc.deliveries b join svc.runs br on br.id = b.run_id and br.due_at = b.run_due_at
             where b.recipient_id = d.recipient_id and br.subscription_id = $3 and b.id < d.id
             order by b.started_at desc, b.id desc limit 1) is distinct from 'HttpGone'
      order by d.recipient_id`,
    values: [run.id, run.dueAt, subscriptionId, deliveryIds],
  });
  return rows;
}

/** Returns the due time of a run; undefined when the run is no longer stored. */
export async function dueTimeOf(executor: Executor, runId: number): Promise<Date | undefined> {
  const { rows } = await executor.query<{ dueAt: Date }>(
    'select due_at as "dueAt" from svc.runs where id = $1',
    [runId],
  );
  return rows[0]?.dueAt;
}

/** Returns the subscription of a run; null for other runs and for a run that is no longer stored. */
export async function subscriptionOf(executor: Executor, run: RunKey): Promise<number | null> {
  const { rows } = await executor.query<{ subscriptionId: number | null }>({
    name: 'deliveries-subscription-of-run',
    text: 'select subscription_id as "subscriptionId" from svc.runs where id = $1 and due_at = $2',
    values: [run.id, run.dueAt],
  });
  return rows[0]?.subscriptionId ?? null;
}

export async function setJobOf(
  tx: Tx,
  run: RunKey,
  deliveryIds: readonly number[],
  jobId: string,
): Promise<void> {
  await tx.query('update svc.deliveries set job_id = $3 where id = any($1::bigint[]) and run_due_at = $2', [
    deliveryIds,
    run.dueAt,
    jobId,
  ]);
}

export type UndoneFilter = {
  readonly run?: RunKey | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly subscriptionId?: number | undefined;
  readonly recipientId?: number | undefined;
  /** Includes deliveries with an unknown outcome, which may have arrived. */
  readonly includesUnknown: boolean;
};

/** Returns failed deliveries visible to the caller, in projects where the caller may write, oldest first. */
export async function findUndone(
  executor: Executor,
  scope: { readonly visible: RawBuilder<boolean>; readonly writable: RawBuilder<unknown> },
  filter: UndoneFilter,
  limit: number,
): Promise<UndoneDelivery[]> {
  let query = executor.kysely
    .selectFrom('svc.deliveries as d')
    .innerJoin('svc.runs as r', (on) =>
      on.onRef('r.id', '=', 'd.run_id').onRef('r.due_at', '=', 'd.run_due_at'),
    )
    .select(['d.id', 'd.run_due_at as runDueAt'])
    .where('d.state', 'in', filter.includesUnknown ? ['Failed', 'Unknown'] : ['Failed'])
    .where(isMessageKept)
    .where('r.status', '<>', 'Created')
    .where(scope.visible)
    .where(
      sql<boolean>`r.project_id in (select w.project_id from ${scope.writable} w where w.right_level >= 2)`,
    )
    .where(isLastAttempt);
  if (filter.run)
    query = query.where('d.run_id', '=', filter.run.id).where('d.run_due_at', '=', filter.run.dueAt);
  if (filter.from) query = query.where('d.started_at', '>=', filter.from);
  if (filter.to) query = query.where('d.started_at', '<', filter.to);
  if (filter.subscriptionId !== undefined)
    query = query.where('r.subscription_id', '=', filter.subscriptionId);
  if (filter.recipientId !== undefined) query = query.where('d.recipient_id', '=', filter.recipientId);
  return query.orderBy('d.id').limit(limit).execute();
}

const laterAttempt = `select from svc.deliveries l where l.run_id = d.run_id and l.run_due_at = d.run_due_at
  and l.message_no = d.message_no and l.recipient_id = d.recipient_id and l.attempt > d.attempt`;
const isLastAttempt = sql<boolean>`not exists (${sql.raw(laterAttempt)})`;

const keptMessage = `case d.message_no when 0 then r.message_sealed else (select m.message_sealed from svc.run_messages m
  where m.run_id = d.run_id and m.run_due_at = d.run_due_at and m.no = d.message_no) end is not null`;
const isMessageKept = sql<boolean>`${sql.raw(keptMessage)}`;

/** A delivery of a run with the conditions for a resend. */
export type OrderedDelivery = {
  readonly state: string;
  readonly recipientId: number;
  readonly isLast: boolean;
  readonly isMessageKept: boolean;
  readonly isRunOver: boolean;
};

export async function findDelivery(
  executor: Executor,
  run: RunKey,
  deliveryId: number,
): Promise<OrderedDelivery | undefined> {
  const { rows } = await executor.query<OrderedDelivery>(
    `select d.state, d.recipient_id as "recipientId", ${keptMessage} as "isMessageKept",
       r.status <> 'Created' as "isRunOver", not exists (${laterAttempt}) as "isLast"
     from svc.deliveries d join svc.runs r on r.id = d.run_id and r.due_at = d.run_due_at
     where d.id = $3 and d.run_id = $1 and d.run_due_at = $2`,
    [run.id, run.dueAt, deliveryId],
  );
  return rows[0];
}

/** Marks attempts that an earlier try of their job left in progress. Their outcome is unknown. */
export async function markInterruptedAttempts(
  executor: Executor,
  run: RunKey,
  deliveryIds: readonly number[],
): Promise<void> {
  await executor.query(
    `update svc.deliveries set state = 'Unknown', reason = 'Interrupted', finished_at = now()
     where id = any($1::bigint[]) and run_due_at = $2 and state = 'Sending'`,
    [deliveryIds, run.dueAt],
  );
}

/** Ends queued attempts without sending. */
export async function skipQueued(
  executor: Executor,
  run: RunKey,
  deliveryIds: readonly number[],
  reason: 'MessageGone' | 'NotMade',
): Promise<void> {
  await executor.query(
    `update svc.deliveries set state = 'Skipped', reason = $3, finished_at = now()
     where id = any($1::bigint[]) and run_due_at = $2 and state = 'Queued'`,
    [deliveryIds, run.dueAt, reason],
  );
}

/** Marks a failed run as recovered when every recipient has its message. Returns true in that case. */
export async function markRecovered(tx: Tx, run: RunKey): Promise<boolean> {
  const key = [run.id, run.dueAt];
  // Serialises concurrent ends of attempts, so that the later transaction sees both outcomes.
  await tx.query('select from svc.runs where id = $1 and due_at = $2 for update', key);
  const { rows } = await tx.query<{ isSent: boolean }>(
    `select bool_and(state = 'Sent') as "isSent" from
       (select distinct on (message_no, recipient_id) state from svc.deliveries where run_id = $1 and run_due_at = $2
        order by message_no, recipient_id, attempt desc) l`,
    key,
  );
  const isSent = rows[0]?.isSent === true;
  if (isSent)
    await tx.query(
      `update svc.runs set recovered_at = now()
       where id = $1 and due_at = $2 and status = 'Failed' and recovered_at is null`,
      key,
    );
  return isSent;
}

const isJobOver = `not exists (select from svc_jobs.job j
  where j.id = d.job_id and j.state not in ('Completed', 'Failed', 'Cancelled'))`;

/**
 * Ends resends and retries whose job has ended. Queued attempts are skipped; attempts in progress have an unknown
 * outcome.
 */
export async function endOrphans(executor: Executor): Promise<void> {
  await executor.query(
    `update svc.deliveries d set finished_at = now(),
       state = case d.state when 'Queued' then 'Skipped' else 'Unknown' end,
       reason = case d.state when 'Queued' then 'NotMade' else 'Interrupted' end
     where d.state in ('Queued', 'Sending') and d.origin <> 'Run' and d.started_at < now() - interval '2 minutes'
       and ${isJobOver}`,
  );
}

/**
 * Marks deliveries that a crash interrupted. Their outcome is unknown, and the service does not resend them
 * automatically.
 */
export async function markInterruptedDeliveries(executor: Executor, run: RunKey): Promise<void> {
  await executor.query(
    `update svc.deliveries set state = 'Unknown', reason = 'Interrupted', finished_at = now()
     where run_id = $1 and run_due_at = $2 and state = 'Sending' and origin = 'Run'`,
    [run.id, run.dueAt],
  );
}

/**
 * Returns attached recipients without any attempt for this message.
 *
 * @param onlyId  The only recipient of the message; null means every attached recipient.
 */
export async function pendingRecipients(
  executor: Executor,
  { run, messageNo }: MessageKey,
  subscriptionId: number,
  onlyId: number | null,
): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>({
    name: 'runs-pending-recipients',
    text: `select sr.recipient_id as id from svc.subscription_recipients sr
      join svc.recipients rc on rc.id = sr.recipient_id and rc.archived_at is null
      where sr.subscription_id = $4 and ($5::int is null or sr.recipient_id = $5)
        and not exists (select from svc.deliveries d
          where d.run_id = $1 and d.run_due_at = $2 and d.message_no = $3 and d.recipient_id = sr.recipient_id)
      order by sr.recipient_id`,
    values: [run.id, run.dueAt, messageNo, subscriptionId, onlyId],
  });
  return rows.map((row) => row.id);
}

export type DeliveryResult = {
  recipientId: number;
  state: 'Queued' | 'Sending' | 'Sent' | 'Failed' | 'Unknown' | 'Skipped';
  reason: string | null;
  notes: string[];
};

/** Returns the last attempt for each message and recipient of a run. */
export async function deliveryResults(executor: Executor, run: RunKey): Promise<DeliveryResult[]> {
  const { rows } = await executor.query<DeliveryResult>({
    name: 'runs-delivery-results',
    text: `select distinct on (message_no, recipient_id) recipient_id as "recipientId", state, reason, notes
      from svc.deliveries where run_id = $1 and run_due_at = $2
      order by message_no, recipient_id, attempt desc`,
    values: [run.id, run.dueAt],
  });
  return rows;
}

import {
  type AttemptEnd,
  type AttemptStart,
  type DeliveryKey,
  deliveryIdOf,
  type Ledger,
} from '../../gateways/send/index.ts';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Executor } from '../../platform/db/index.ts';

/** Upper bound for attempts per statement. */
const batchMax = 200;
/** Concurrent statements of each kind. An attempt waits for its own commit only, not for the preceding statement. */
const statementsMax = 2;
/**
 * Delays between statements of a kind. The send gateway begins attempts ahead and does not wait for stored outcomes.
 */
const beginSpacingMs = 5;
const finishSpacingMs = 10;

type Begun = Awaited<ReturnType<Ledger['begin']>>;
type Finish = { readonly start: AttemptStart; readonly end: AttemptEnd };

/**
 * Creates the ledger of deliveries: one row per run, recipient and attempt, committed before the message is sent.
 * Concurrent attempts share a statement.
 */
export function createLedger(executor: Executor): Ledger {
  const beginning = createBatcher((starts: readonly AttemptStart[]) => beginAll(executor, starts), {
    sizeMax: batchMax,
    callsMax: statementsMax,
    spacingMs: beginSpacingMs,
  });
  const finishing = createBatcher((ends: readonly Finish[]) => finishAll(executor, ends), {
    sizeMax: batchMax,
    callsMax: statementsMax,
    spacingMs: finishSpacingMs,
  });
  const withdrawing = createBatcher((starts: readonly AttemptStart[]) => withdrawAll(executor, starts), {
    sizeMax: batchMax,
  });
  return {
    begin: (start) => beginning.put(start),
    withdraw: (start) => withdrawing.put(start),
    finish: (start, end) => finishing.put({ start, end }),
  };
}

/** Returns the keys as one array per column: run, due time, message, recipient, attempt. */
const keyColumns = (keys: readonly DeliveryKey[]): unknown[][] => [
  keys.map(({ run }) => run.id),
  keys.map(({ run }) => run.dueAt),
  keys.map(({ messageNo }) => messageNo),
  keys.map(({ recipientId }) => recipientId),
  keys.map(({ attempt }) => attempt),
];
const isOfKey = `d.run_id = u.run_id and d.run_due_at = u.run_due_at and d.message_no = u.message_no
        and d.recipient_id = u.recipient_id and d.attempt = u.attempt`;

// A resend or retry already has a row with state Queued. Any other row means that the attempt was already made.
async function beginAll(executor: Executor, starts: readonly AttemptStart[]): Promise<Begun[]> {
  const keys = starts.map(({ delivery }) => delivery);
  const first = new Map<string, number>();
  for (const [index, key] of keys.entries())
    if (!first.has(deliveryIdOf(key))) first.set(deliveryIdOf(key), index);
  const { rows } = await executor.query<{ place: number; isStarted: boolean; hasRecipient: boolean }>({
    name: 'deliveries-begin',
    text: `with wanted as (
        select u.*, r.id is not null as has_recipient
        from unnest($1::bigint[], $2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::text[]) with ordinality
          as u (run_id, run_due_at, message_no, recipient_id, attempt, message_id, place)
        left join svc.recipients r on r.id = u.recipient_id),
      begun as (
        insert into svc.deliveries as d (run_id, run_due_at, message_no, recipient_id, attempt, state, message_id)
        select distinct on (run_id, message_no, recipient_id, attempt)
          run_id, run_due_at, message_no, recipient_id, attempt, 'Sending', message_id
        from wanted where has_recipient
        order by run_id, message_no, recipient_id, attempt
        on conflict (run_id, run_due_at, message_no, recipient_id, attempt)
          do update set state = 'Sending', started_at = now() where d.state = 'Queued'
        returning run_id, message_no, recipient_id, attempt)
      select w.place, b.run_id is not null as "isStarted", w.has_recipient as "hasRecipient"
      from wanted w left join begun b using (run_id, message_no, recipient_id, attempt)`,
    values: [...keyColumns(keys), starts.map((start) => start.messageId)],
  });
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return keys.map((key, index) => {
    const row = byPlace.get(index + 1);
    if (!row?.hasRecipient) return 'RecipientMissing';
    // Only the first of several equal requests in one batch begins the attempt.
    return row.isStarted && first.get(deliveryIdOf(key)) === index ? 'Started' : 'AlreadyAttempted';
  });
}

async function finishAll(executor: Executor, ends: readonly Finish[]): Promise<undefined[]> {
  const keys = ends.map(({ start }) => start.delivery);
  const of = <T>(read: (end: AttemptEnd) => T): T[] => ends.map(({ end }) => read(end));
  await executor.query({
    name: 'deliveries-finish',
    text: `update svc.deliveries d set state = u.state, reason = u.reason, http_class = u.http_class,
        bytes_sent = u.bytes_sent, duration_ms = u.duration_ms, remote_id = u.remote_id,
        notes = string_to_array(u.notes, ' '), retry_after_seconds = u.retry_after_seconds, finished_at = now()
      from unnest($1::bigint[], $2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[],
          $9::int[], $10::double precision[], $11::text[], $12::text[], $13::int[])
        as u (run_id, run_due_at, message_no, recipient_id, attempt, state, reason, http_class, bytes_sent, duration_ms,
          remote_id, notes, retry_after_seconds)
      where ${isOfKey} and d.state = 'Sending'`,
    values: [
      ...keyColumns(keys),
      of((end) => end.state),
      of((end) => end.reason),
      of((end) => end.httpClass),
      of((end) => end.bytesSent),
      of((end) => end.durationMs),
      of((end) => end.remoteId),
      of((end) => end.notes.join(' ')),
      of((end) => end.retryAfterSeconds ?? null),
    ],
  });
  return ends.map(() => undefined);
}

// Returns resends and retries to Queued, and deletes the rows of a run's own attempts. Their jobs repeat both.
async function withdrawAll(executor: Executor, starts: readonly AttemptStart[]): Promise<undefined[]> {
  const keys = starts.map(({ delivery }) => delivery);
  await executor.query({
    name: 'deliveries-withdraw',
    text: `with unsent as (
        select d.id, d.run_due_at, d.origin from svc.deliveries d
          join unnest($1::bigint[], $2::timestamptz[], $3::int[], $4::int[], $5::int[])
            as u (run_id, run_due_at, message_no, recipient_id, attempt) on ${isOfKey}
        where d.state = 'Sending'
        for update of d),
      queued as (
        update svc.deliveries d set state = 'Queued' from unsent u
        where d.id = u.id and d.run_due_at = u.run_due_at and u.origin <> 'Run')
      delete from svc.deliveries d using unsent u
      where d.id = u.id and d.run_due_at = u.run_due_at and u.origin = 'Run'`,
    values: keyColumns(keys),
  });
  return starts.map(() => undefined);
}

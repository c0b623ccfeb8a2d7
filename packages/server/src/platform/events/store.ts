import type { Queryable } from '../db/index.ts';

/** Channel of the hints that say "there is something new". */
export const hintChannel = 'svc_events';

/** Only what was written within this time is read: a transaction that took longer is not waited for. */
export const readableAgeSeconds = 60;
const keptAgeSeconds = 600;

/** Stores an event and hints at it; both happen when the transaction commits, or not at all. */
export async function insertEvent(executor: Queryable, topic: string, payload: unknown): Promise<void> {
  await executor.query({
    name: 'events-insert',
    text: `with stored as (insert into svc.events (topic, payload) values ($1, $2::jsonb) returning id)
      select pg_notify('${hintChannel}', '') from stored`,
    values: [topic, JSON.stringify(payload)],
  });
}

export type StoredEvent = {
  readonly id: number;
  readonly txid: string;
  readonly topic: string;
  readonly payload: unknown;
};

/**
 * Events of transactions from `since` on that are visible now, oldest first, and the oldest transaction that was
 * still running: everything before it has been seen. Without `since` only that.
 */
export async function readEvents(
  executor: Queryable,
  since: string | undefined,
): Promise<{ events: readonly StoredEvent[]; oldestRunning: string }> {
  const { rows } = await executor.query<{ oldestRunning: string; events: StoredEvent[] | null }>({
    name: 'events-read',
    // One statement, one snapshot: what it does not see belongs to a transaction from `oldestRunning` on.
    text: `select pg_snapshot_xmin(pg_current_snapshot())::text as "oldestRunning",
        (select json_agg(json_build_object('id', e.id, 'txid', e.txid::text, 'topic', e.topic, 'payload', e.payload)
                         order by e.id)
           from svc.events e
          where e.txid >= $1::xid8 and e.created_time > now() - interval '${readableAgeSeconds} seconds') as events`,
    values: [since ?? null],
  });
  const [row] = rows;
  if (!row) throw new Error('The statement that reads events gave no row.');
  return { events: row.events ?? [], oldestRunning: row.oldestRunning };
}

/** Removes what nobody reads any more. */
export async function deleteOldEvents(executor: Queryable): Promise<void> {
  await executor.query(
    `delete from svc.events where created_time < now() - interval '${keptAgeSeconds} seconds'`,
  );
}

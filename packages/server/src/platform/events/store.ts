import type { Queryable } from '../db/index.ts';

/** Channel of the hints that announce new events. */
export const hintChannel = 'svc_events';

/** Maximum age of an event at reading. A transaction that takes longer loses its events. */
export const readableAgeSeconds = 60;
const keptAgeSeconds = 600;

/** Stores an event and announces it. Both take effect at the commit of the transaction. */
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
 * Returns the visible events of transactions since `since`, oldest first, and the oldest running transaction.
 * Everything before that transaction has been read. Without `since`, only the latter.
 */
export async function readEvents(
  executor: Queryable,
  since: string | undefined,
): Promise<{ events: readonly StoredEvent[]; oldestRunning: string }> {
  const { rows } = await executor.query<{ oldestRunning: string; events: StoredEvent[] | null }>({
    name: 'events-read',
    // One statement, one snapshot: events that it does not see belong to transactions at or after `oldestRunning`.
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

/** Removes events that no process reads any more. */
export async function deleteOldEvents(executor: Queryable): Promise<void> {
  await executor.query(
    `delete from svc.events where created_time < now() - interval '${keptAgeSeconds} seconds'`,
  );
}

import type { Executor } from '../../platform/db/index.ts';

/** The sealed message of a run; null when it is no longer kept. */
export async function sealedMessageOf(executor: Executor, runId: number): Promise<string | null> {
  const { rows } = await executor.query<{ messageSealed: string | null }>(
    'select message_sealed as "messageSealed" from svc.runs where id = $1',
    [runId],
  );
  return rows[0]?.messageSealed ?? null;
}

/** Messages and files whose time is over, at most `limit` runs at a time. Returns how many went. */
export async function dropOldMessages(executor: Executor, keepDays: number, limit: number): Promise<number> {
  const { rowCount } = await executor.query(
    `with old as (
       select r.id from svc.runs r
       where r.finished_at < now() - $1 * interval '1 day'
         and (r.message_sealed is not null or exists (select from svc.run_attachments a where a.run_id = r.id))
       order by r.id limit $2),
     files as (delete from svc.run_attachments a using old where a.run_id = old.id)
     update svc.runs r set message_sealed = null from old where r.id = old.id`,
    [keepDays, limit],
  );
  return rowCount ?? 0;
}

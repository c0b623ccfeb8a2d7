import type { MessageKey } from '../../gateways/send/index.ts';
import type { Executor } from '../../platform/db/index.ts';

/** Returns a sealed message of a run; null when it is no longer stored. */
export async function sealedMessageOf(
  executor: Executor,
  { run, messageNo }: MessageKey,
): Promise<string | null> {
  const { rows } = await executor.query<{ messageSealed: string | null }>(
    messageNo === 0
      ? 'select message_sealed as "messageSealed" from svc.runs where id = $1 and due_at = $2 and $3 = 0'
      : `select message_sealed as "messageSealed" from svc.run_messages
         where run_id = $1 and run_due_at = $2 and no = $3`,
    [run.id, run.dueAt, messageNo],
  );
  return rows[0]?.messageSealed ?? null;
}

/**
 * Deletes messages and files of runs that ended more than `keepDays` days ago, at most `limit` runs per call. Returns
 * the number of runs.
 */
export async function dropOldMessages(executor: Executor, keepDays: number, limit: number): Promise<number> {
  const { rowCount } = await executor.query(
    `with old as (
       select r.id, r.due_at from svc.runs r
       where r.message_sealed is not null and r.finished_at < now() - $1 * interval '1 day'
       union
       select r.id, r.due_at from svc.run_attachments a join svc.runs r on r.id = a.run_id and r.due_at = a.run_due_at
       where r.finished_at < now() - $1 * interval '1 day'
       union
       select r.id, r.due_at from svc.run_messages m join svc.runs r on r.id = m.run_id and r.due_at = m.run_due_at
       where m.message_sealed is not null and r.finished_at < now() - $1 * interval '1 day'
       order by id limit $2),
     parts as (
       delete from svc.run_attachment_parts p using old where p.run_id = old.id and p.run_due_at = old.due_at),
     files as (delete from svc.run_attachments a using old where a.run_id = old.id and a.run_due_at = old.due_at),
     messages as (
       update svc.run_messages m set message_sealed = null from old
       where m.run_id = old.id and m.run_due_at = old.due_at)
     update svc.runs r set message_sealed = null from old where r.id = old.id and r.due_at = old.due_at`,
    [keepDays, limit],
  );
  return rowCount ?? 0;
}

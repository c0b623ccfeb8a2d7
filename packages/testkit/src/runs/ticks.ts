import { createJobs, type JobLogEntry } from '@svc/jobs';
import type pg from 'pg';
import { until } from './until.ts';

/** Fired tick, with its slot and the id of its job. */
export type FiredTick = { readonly slotAt: Date; readonly jobId: string };

/** Makes a schedule due now, and returns the tick once a process has fired it. */
export async function fireTick(database: pg.Pool, scheduleKey: string): Promise<FiredTick> {
  const { rows } = await database.query<{ slotAt: Date }>(
    `update svc_jobs.schedule set next_due_at = date_trunc('milliseconds', clock_timestamp()) where key = $1
      returning next_due_at as "slotAt"`,
    [scheduleKey],
  );
  const [schedule] = rows;
  if (!schedule) throw new Error(`There is no schedule ${scheduleKey}.`);
  return until(`the tick of ${scheduleKey}`, async () => {
    const ticks = await database.query<FiredTick>(
      `select due_at as "slotAt", job_id as "jobId" from svc_jobs.schedule_tick
        where schedule_key = $1 and due_at = $2`,
      [scheduleKey, schedule.slotAt],
    );
    return ticks.rows[0];
  });
}

/** Waits for the end of a job. @returns the state and the number of attempts. */
export const endOfJob = (database: pg.Pool, jobId: string): Promise<{ state: string; attempt: number }> =>
  until(`the end of job ${jobId}`, async () => {
    const { rows } = await database.query<{ state: string; attempt: number }>(
      `select state::text, attempt from svc_jobs.job
        where id = $1 and state in ('Completed', 'Failed', 'Cancelled')`,
      [jobId],
    );
    return rows[0];
  });

/** Requeues a job and waits for its next end. @returns the lines that the handler logged after the requeue. */
export async function requeueToItsEnd(database: pg.Pool, jobId: string): Promise<readonly string[]> {
  const jobs = createJobs({ pool: database });
  const before = (await linesOf(database, jobId)).length;
  const outcome = await jobs.requeue(jobs.executor, jobId);
  if (outcome !== 'Enqueued') throw new Error(`The job was not requeued: ${outcome}.`);
  await endOfJob(database, jobId);
  return (await linesOf(database, jobId)).slice(before);
}

/** Returns the lines that the handler of a job logged. */
export async function linesOf(database: pg.Pool, jobId: string): Promise<readonly string[]> {
  const entries: readonly JobLogEntry[] = await createJobs({ pool: database }).history(jobId);
  return entries.filter(({ event }) => event === 'Log').map(({ message }) => message ?? '');
}

/**
 * Ends, once, the database session of the next statement that inserts or updates a matching row. The statement fails as
 * if an administrator or a failover ended the session.
 *
 * @param when  A condition on `new`, in SQL.
 */
export async function loseSessionOnce(
  database: pg.Pool,
  {
    table,
    event,
    when,
  }: { readonly table: string; readonly event: 'insert' | 'update'; readonly when: string },
): Promise<void> {
  // A sequence survives the rollback, so that the trigger ends only one session.
  await database.query(`
    drop trigger if exists lose_session on ${table};
    drop sequence if exists svc.lost_sessions;
    create sequence svc.lost_sessions;
    grant usage on sequence svc.lost_sessions to public;
    create or replace function svc.lose_session() returns trigger language plpgsql as $$
    begin
      if nextval('svc.lost_sessions') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$;
    create trigger lose_session before ${event} on ${table} for each row when (${when})
      execute function svc.lose_session();`);
}

import type { JobState } from '@svc/jobs';
import type { Db } from '../db.ts';

/** Recurring schedule in the form of a list item. */
export type ScheduleItem = {
  readonly key: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly jobName: string;
  readonly queue: string;
  readonly isEnabled: boolean;
  readonly skipsOverlap: boolean;
  readonly nextDueAt: Date | null;
  readonly lastDueAt: Date | null;
  readonly lastJobId: string | null;
  readonly lastState: JobState | null;
  /** Duration of the last job; null before its end and after its removal. */
  readonly lastDurationMs: number | null;
};

const columns = `s.key, s.cron, s.time_zone as "timeZone", s.job_name as "jobName", s.queue, s.is_enabled as "isEnabled",
  s.skips_overlap as "skipsOverlap", s.next_due_at as "nextDueAt", s.last_due_at as "lastDueAt",
  s.last_job_id as "lastJobId", j.state::text as "lastState",
  extract(epoch from j.finished_at - j.started_at)::float8 * 1000 as "lastDurationMs"`;

/** Returns recurring schedules whose key or job name contains the text, ordered by key. */
export async function listSchedules(
  db: Db,
  filter: { readonly text: string | undefined; readonly isEnabled: boolean | undefined },
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: readonly ScheduleItem[]; readonly total: number }> {
  const values = [filter.text?.toLowerCase() ?? null, filter.isEnabled ?? null];
  const from = `from ${db.schema}.schedule s
    where ($1::text is null or strpos(lower(s.key), $1) > 0 or strpos(lower(s.job_name), $1) > 0)
      and ($2::boolean is null or s.is_enabled = $2)`;
  const [count] = await db.rows<{ total: number }>(`select count(*) as total ${from}`, values);
  const items = await db.rows<ScheduleItem>(
    `select ${columns} from (select s.* ${from} order by s.key collate "C" limit $3::integer offset $4::integer) s
     left join ${db.schema}.job j on j.id = s.last_job_id order by s.key collate "C"`,
    [...values, page.limit, page.offset],
  );
  return { items, total: count?.total ?? 0 };
}

/** Fired or skipped due time, with the state of its job. */
export type TickItem = {
  readonly dueAt: Date;
  readonly firedAt: Date;
  readonly jobId: string | null;
  readonly missedCount: number;
  /** Null when the tick was skipped or its job was removed after its expiry. */
  readonly state: JobState | null;
  readonly durationMs: number | null;
};

/** Returns the newest ticks of a schedule, newest first. */
export const listTicks = (db: Db, key: string, limit: number): Promise<TickItem[]> =>
  db.rows<TickItem>(
    `select t.due_at as "dueAt", t.fired_at as "firedAt", t.job_id as "jobId", t.missed_count as "missedCount",
       j.state::text as state, extract(epoch from j.finished_at - j.started_at)::float8 * 1000 as "durationMs"
     from (
       select * from ${db.schema}.schedule_tick where schedule_key = $1 order by due_at desc limit $2::integer
     ) t left join ${db.schema}.job j on j.id = t.job_id order by t.due_at desc`,
    [key, limit],
  );

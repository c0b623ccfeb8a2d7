import type { EvalSchedule, EvalSkipReason } from '@svc/contract';
import type { Executor, Tx } from '../../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../../platform/http/index.ts';

export type ScheduleContent = {
  readonly cron: string;
  readonly timeZone: string;
  readonly minAccuracy: number;
  readonly repeats: number;
  readonly maxTokens: number | null;
  readonly isPaused: boolean;
};

export type ScheduleRow = ScheduleContent & {
  readonly projectId: number;
  readonly projectName: string;
  readonly pauseReason: EvalSchedule['pauseReason'];
  readonly ownerUserId: number | null;
  readonly ownerName: string | null;
  readonly isBelow: boolean;
  readonly lastRunId: number | null;
  readonly lastSkippedAt: Date | null;
  readonly lastSkipReason: EvalSkipReason | null;
  readonly updatedAt: Date;
  readonly version: number;
};

export const scheduleSortable: Sortable = { projectName: 'lower(p.name) collate "C"' };

const columns = `s.project_id as "projectId", p.name as "projectName", s.cron, s.time_zone as "timeZone",
  s.min_accuracy as "minAccuracy", s.repeats, s.max_tokens::float8 as "maxTokens", s.is_paused as "isPaused",
  s.pause_reason as "pauseReason", s.owner_user_id as "ownerUserId", u.display_name as "ownerName",
  s.is_below as "isBelow", (select max(r.id) from svc.eval_runs r
    where r.project_id = s.project_id and r.min_accuracy is not null) as "lastRunId",
  s.last_skipped_at as "lastSkippedAt", s.last_skip_reason as "lastSkipReason", s.updated_at as "updatedAt", s.version`;
const from = `svc.eval_schedules s join svc.projects p on p.id = s.project_id and p.archived_at is null
  left join svc.users u on u.id = s.owner_user_id`;

export async function listSchedules(
  executor: Executor,
  projectId: number | null,
  page: PageRequest,
): Promise<{ rows: ScheduleRow[]; totalCount: number }> {
  const where = '($1::int is null or s.project_id = $1)';
  const { rows } = await executor.query<ScheduleRow>(
    `select ${columns} from ${from} where ${where} order by ${orderBy(page)} limit $2 offset $3`,
    [projectId, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from ${from} where ${where}`,
    [projectId],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Returns the schedule of a live project. */
export async function findSchedule(
  executor: Executor,
  projectId: number,
  { forUpdate = false } = {},
): Promise<ScheduleRow | undefined> {
  const { rows } = await executor.query<ScheduleRow>(
    `select ${columns} from ${from} where s.project_id = $1 ${forUpdate ? 'for no key update of s' : ''}`,
    [projectId],
  );
  return rows[0];
}

/** Saves a schedule. Retains the recorded state of an existing schedule, except its pause reason. */
export async function saveSchedule(
  tx: Tx,
  projectId: number,
  ownerUserId: number | null,
  { cron, timeZone, minAccuracy, repeats, maxTokens, isPaused }: ScheduleContent,
): Promise<void> {
  await tx.query(
    `insert into svc.eval_schedules (project_id, owner_user_id, cron, time_zone, min_accuracy, repeats, max_tokens, is_paused)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (project_id) do update set owner_user_id = excluded.owner_user_id, cron = excluded.cron,
       time_zone = excluded.time_zone, min_accuracy = excluded.min_accuracy, repeats = excluded.repeats,
       max_tokens = excluded.max_tokens, is_paused = excluded.is_paused, pause_reason = null, updated_at = now(),
       version = svc.eval_schedules.version + 1`,
    [projectId, ownerUserId, cron, timeZone, minAccuracy, repeats, maxTokens, isPaused],
  );
}

export async function deleteSchedule(tx: Tx, projectId: number): Promise<void> {
  await tx.query('delete from svc.eval_schedules where project_id = $1', [projectId]);
}

/** Pauses a schedule whose owner may no longer run evaluations. */
export async function pauseForOwner(tx: Tx, projectId: number): Promise<void> {
  await tx.query(
    `update svc.eval_schedules set is_paused = true, pause_reason = 'OwnerGone', version = version + 1
      where project_id = $1`,
    [projectId],
  );
}

export async function noteSkip(tx: Tx, projectId: number, at: Date, reason: EvalSkipReason): Promise<void> {
  await tx.query(
    'update svc.eval_schedules set last_skipped_at = $2, last_skip_reason = $3 where project_id = $1',
    [projectId, at, reason],
  );
}

/** Stores whether the accuracy is below its threshold. Returns false when the value did not change. */
export async function markBelow(tx: Tx, projectId: number, isBelow: boolean): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update svc.eval_schedules set is_below = $2 where project_id = $1 and is_below <> $2',
    [projectId, isBelow],
  );
  return (rowCount ?? 0) > 0;
}

/** The evaluation of a slot. */
export type SlotRun = {
  readonly id: number;
  readonly state: string;
  readonly isFinished: boolean;
  /** The job of the evaluation is unfinished. */
  readonly isWorkedOn: boolean;
};

/** Finds the evaluation that a schedule started for a slot. The caller must have locked the schedule. */
export async function findRunOfSlot(tx: Tx, projectId: number, slotAt: Date): Promise<SlotRun | undefined> {
  const { rows } = await tx.query<SlotRun>(
    `select r.id, r.state, r.finished_at is not null as "isFinished", exists (select from svc_jobs.job j
         where j.id = r.job_id and j.state not in ('Completed', 'Failed', 'Cancelled')) as "isWorkedOn"
       from svc.eval_runs r where r.project_id = $1 and r.slot_at = $2`,
    [projectId, slotAt],
  );
  return rows[0];
}

/** Returns true when a scheduled evaluation of the project is unfinished. */
export async function hasOpenRun(executor: Executor, projectId: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    'select from svc.eval_runs where project_id = $1 and min_accuracy is not null and finished_at is null limit 1',
    [projectId],
  );
  return (rowCount ?? 0) > 0;
}

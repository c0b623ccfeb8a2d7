import type { AiActionType, AiThink, AiThinkOrigin, AiThinkState } from '@svc/contract';
import type { Executor, Tx } from '../../../platform/db/index.ts';
import type { PageRequest } from '../../../platform/http/index.ts';

export type Discarded = AiThink['discarded'][number];
export type AppliedQuery = {
  readonly type: AiActionType;
  readonly queryId: number;
  readonly queryName: string;
};

export type ThinkRow = {
  readonly id: number;
  readonly actorId: number;
  readonly origin: AiThinkOrigin;
  readonly state: AiThinkState;
  readonly orderedByUserId: number | null;
  readonly orderedByHostUser: string | null;
  readonly orderedByUserName: string | null;
  readonly feedback: string | null;
  readonly parentPlanId: number | null;
  readonly analysis: string | null;
  readonly findings: string[];
  readonly discarded: Discarded[];
  readonly applied: AppliedQuery[];
  readonly planId: number | null;
  readonly failureCode: string | null;
  readonly failure: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly isEstimated: boolean;
  readonly model: string | null;
  readonly jobId: string | null;
  readonly orderedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

const columns = `t.id, t.actor_id as "actorId", t.origin, t.state, t.ordered_by_user_id as "orderedByUserId",
  t.ordered_by_host_user as "orderedByHostUser",
  coalesce(u.display_name, u.user_name, t.ordered_by_host_user) as "orderedByUserName", t.feedback,
  t.parent_plan_id as "parentPlanId", t.analysis, t.findings, t.discarded, t.applied,
  (select p.id from svc.ai_plans p where p.think_id = t.id) as "planId", t.failure_code as "failureCode", t.failure,
  t.input_tokens as "inputTokens", t.output_tokens as "outputTokens", t.is_estimated as "isEstimated", t.model,
  t.job_id as "jobId", t.ordered_at as "orderedAt", t.started_at as "startedAt", t.finished_at as "finishedAt"`;
const from = 'svc.ai_thinks t left join svc.users u on u.id = t.ordered_by_user_id';

export async function findThink(executor: Executor, id: number): Promise<ThinkRow | undefined> {
  const { rows } = await executor.query<ThinkRow>(`select ${columns} from ${from} where t.id = $1`, [id]);
  return rows[0];
}

export async function listThinks(
  executor: Executor,
  actorId: number,
  page: PageRequest,
): Promise<{ rows: ThinkRow[]; totalCount: number }> {
  const { rows } = await executor.query<ThinkRow>(
    `select ${columns} from ${from} where t.actor_id = $1 order by t.id desc limit $2 offset $3`,
    [actorId, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    'select count(*)::int as count from svc.ai_thinks where actor_id = $1',
    [actorId],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export type NewThink = {
  readonly actorId: number;
  readonly origin: AiThinkOrigin;
  readonly userId: number | null;
  readonly hostUser: string | null;
  readonly feedback: string | null;
  readonly parentPlanId: number | null;
  /** Slot of the schedule that ordered it; null otherwise. */
  readonly slotAt: Date | null;
};

/** The think of a slot. */
export type SlotThink = {
  readonly id: number;
  readonly state: string;
  readonly isFinished: boolean;
  /** True if its job has not ended. */
  readonly isWorkedOn: boolean;
};

/** Finds the think that a schedule ordered for a slot. The caller has the lock of the actor. */
export async function findThinkOfSlot(tx: Tx, actorId: number, slotAt: Date): Promise<SlotThink | undefined> {
  const { rows } = await tx.query<SlotThink>(
    `select t.id, t.state, t.finished_at is not null as "isFinished", exists (select from svc_jobs.job j
         where j.id = t.job_id and j.state not in ('Completed', 'Failed', 'Cancelled')) as "isWorkedOn"
       from svc.ai_thinks t where t.actor_id = $1 and t.slot_at = $2`,
    [actorId, slotAt],
  );
  return rows[0];
}

/** Inserts a think. @returns undefined if the actor has an open think. */
export async function insertThink(tx: Tx, think: NewThink): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.ai_thinks (actor_id, origin, ordered_by_user_id, ordered_by_host_user, feedback, parent_plan_id, slot_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (actor_id) where finished_at is null do nothing returning id`,
    [
      think.actorId,
      think.origin,
      think.userId,
      think.hostUser,
      think.feedback,
      think.parentPlanId,
      think.slotAt,
    ],
  );
  return rows[0]?.id;
}

export async function setThinkJob(tx: Tx, id: number, jobId: string): Promise<void> {
  await tx.query('update svc.ai_thinks set job_id = $2 where id = $1', [id, jobId]);
}

/** Marks a think as started. @returns false if it has ended. */
export async function beginThink(executor: Executor, id: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `update svc.ai_thinks set state = 'Working', started_at = coalesce(started_at, now())
     where id = $1 and finished_at is null`,
    [id],
  );
  return rowCount === 1;
}

export type ThinkEnd = {
  readonly state: 'Completed' | 'Failed' | 'Cancelled';
  readonly failure?: { readonly code: string; readonly message: string };
  readonly analysis?: string | null;
  readonly findings?: readonly string[];
  readonly discarded?: readonly Discarded[];
  readonly applied?: readonly AppliedQuery[];
  readonly tokens?: { readonly input: number; readonly output: number; readonly isEstimated: boolean };
  readonly model?: string | null;
  readonly promptVersion?: number;
};

/** Stores the end of a think. @returns false if it had already ended. */
export async function endThink(tx: Executor, id: number, end: ThinkEnd): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.ai_thinks set state = $2, failure_code = $3, failure = $4, analysis = $5, findings = $6::jsonb,
       discarded = $7::jsonb, applied = $8::jsonb, input_tokens = $9, output_tokens = $10, is_estimated = $11,
       model = $12, prompt_version = $13, finished_at = now()
     where id = $1 and finished_at is null`,
    [
      id,
      end.state,
      end.failure?.code ?? null,
      end.failure?.message ?? null,
      end.analysis ?? null,
      JSON.stringify(end.findings ?? []),
      JSON.stringify(end.discarded ?? []),
      JSON.stringify(end.applied ?? []),
      end.tokens?.input ?? 0,
      end.tokens?.output ?? 0,
      end.tokens?.isEstimated ?? false,
      end.model ?? null,
      end.promptVersion ?? null,
    ],
  );
  return rowCount === 1;
}

/** Finds the open think of an actor. */
export async function findOpenThink(
  executor: Executor,
  actorId: number,
): Promise<{ readonly id: number; readonly jobId: string | null } | undefined> {
  const { rows } = await executor.query<{ id: number; jobId: string | null }>(
    'select id, job_id as "jobId" from svc.ai_thinks where actor_id = $1 and finished_at is null',
    [actorId],
  );
  return rows[0];
}

/** Returns true if the actor has thought after a run within the last hour. */
export async function hasThoughtAfterRun(executor: Executor, actorId: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `select from svc.ai_thinks where actor_id = $1 and origin = 'AfterRun' and ordered_at > now() - interval '1 hour'
     limit 1`,
    [actorId],
  );
  return rowCount !== 0;
}

/** Returns the active actor of a subscription that thinks after its runs and has no pending plan. */
export async function findThinkerAfterRun(
  executor: Executor,
  subscriptionId: number,
): Promise<number | undefined> {
  const { rows } = await executor.query<{ id: number }>({
    name: 'ai-actors-after-run',
    text: `select a.id from svc.subscriptions s join svc.ai_actors a on a.id = s.ai_actor_id
      where s.id = $1 and a.state = 'Active' and a.is_thinking_after_runs`,
    values: [subscriptionId],
  });
  return rows[0]?.id;
}

/** Lists open thinks that are older than the longest possible job. */
export async function abandonedThinks(executor: Executor, minutes: number): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select id from svc.ai_thinks where finished_at is null and ordered_at < now() - $1 * interval '1 minute'`,
    [minutes],
  );
  return rows.map(({ id }) => id);
}

import type { AiPlanStatus, AiThink } from '@svc/contract';
import type { Executor, Tx } from '../../../platform/db/index.ts';
import type { PageRequest } from '../../../platform/http/index.ts';
import type { ActionDefinition } from '../thinking/actions.ts';

export type PlanRow = {
  readonly id: number;
  readonly actorId: number;
  readonly actorName: string;
  readonly projectId: number;
  readonly projectName: string;
  readonly ownerUserId: number;
  readonly thinkId: number;
  readonly version: number;
  readonly parentPlanId: number | null;
  readonly status: AiPlanStatus;
  readonly planHash: string;
  readonly barredUserIds: number[];
  readonly barredHostUsers: string[];
  readonly orderedByUserId: number | null;
  readonly actionCount: number;
  readonly analysis: string | null;
  readonly feedback: string | null;
  readonly findings: string[];
  readonly discarded: AiThink['discarded'];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly isEstimated: boolean;
  readonly model: string | null;
  readonly decidedByUserName: string | null;
  readonly decidedAt: Date | null;
  readonly comment: string | null;
  readonly createdTime: Date;
  readonly expiresAt: Date;
};

const columns = `p.id, p.actor_id as "actorId", a.name as "actorName", a.project_id as "projectId",
  j.name as "projectName", a.owner_user_id as "ownerUserId", p.think_id as "thinkId", p.plan_version as version,
  p.parent_plan_id as "parentPlanId", p.status, p.plan_hash as "planHash", p.barred_user_ids as "barredUserIds",
  p.barred_host_users as "barredHostUsers", t.ordered_by_user_id as "orderedByUserId",
  (select count(*)::int from svc.ai_plan_actions c where c.plan_id = p.id) as "actionCount", t.analysis, t.feedback,
  t.findings, t.discarded, t.input_tokens as "inputTokens", t.output_tokens as "outputTokens",
  t.is_estimated as "isEstimated", t.model,
  coalesce(u.display_name, u.user_name, p.decided_by_host_user) as "decidedByUserName", p.decided_at as "decidedAt",
  p.comment, p.created_time as "createdTime", p.expires_at as "expiresAt"`;
const from = `svc.ai_plans p join svc.ai_actors a on a.id = p.actor_id
  join svc.projects j on j.id = a.project_id and j.archived_at is null join svc.ai_thinks t on t.id = p.think_id
  left join svc.users u on u.id = p.decided_by_user_id`;

export async function findPlan(executor: Executor, id: number): Promise<PlanRow | undefined> {
  const { rows } = await executor.query<PlanRow>(`select ${columns} from ${from} where p.id = $1`, [id]);
  return rows[0];
}

/** Locks a plan and reads it. The caller has locked the actor before. */
export async function lockPlan(tx: Tx, id: number): Promise<PlanRow | undefined> {
  await tx.query('select from svc.ai_plans where id = $1 for update', [id]);
  return findPlan(tx, id);
}

export type PlanFilter = {
  /** Null: all projects. */
  readonly projectIds: readonly number[] | null;
  readonly actorId: number | null;
  readonly status: AiPlanStatus | null;
};

/** Lists one page of plans, newest first. */
export async function listPlans(
  executor: Executor,
  { projectIds, actorId, status }: PlanFilter,
  page: PageRequest,
): Promise<{ rows: PlanRow[]; totalCount: number }> {
  const where = `($1::int[] is null or a.project_id = any($1::int[])) and ($2::int is null or p.actor_id = $2)
    and ($3::text is null or p.status = $3)`;
  const values = [projectIds, actorId, status];
  const { rows } = await executor.query<PlanRow>(
    `select ${columns} from ${from} where ${where} order by p.id desc limit $4 offset $5`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from ${from} where ${where}`,
    values,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export type ActionRow = {
  readonly id: number;
  readonly reasoning: string;
  readonly definition: ActionDefinition;
  readonly sampleSealed: string | null;
  readonly isApplied: boolean;
  readonly resultQueryId: number | null;
  readonly resultSubscriptionId: number | null;
  readonly resultContractId: number | null;
  readonly isQueryLocked: boolean;
};

/** Lists the actions of a plan, in their order. */
export async function actionsOf(executor: Executor, planId: number): Promise<ActionRow[]> {
  const { rows } = await executor.query<ActionRow>(
    `select c.id, c.reasoning, c.definition, c.sample_sealed as "sampleSealed", c.is_applied as "isApplied",
       c.result_query_id as "resultQueryId", c.result_subscription_id as "resultSubscriptionId",
       c.result_contract_id as "resultContractId", coalesce(q.is_locked, false) as "isQueryLocked"
     from svc.ai_plan_actions c left join svc.queries q on q.id = (c.definition->>'queryId')::int
     where c.plan_id = $1 order by c.action_order`,
    [planId],
  );
  return rows;
}

export type NewPlan = {
  readonly actorId: number;
  readonly thinkId: number;
  readonly version: number;
  readonly parentPlanId: number | null;
  readonly planHash: string;
  readonly barredUserIds: readonly number[];
  readonly barredHostUsers: readonly string[];
  readonly days: number;
};

export async function insertPlan(tx: Tx, plan: NewPlan): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.ai_plans (actor_id, think_id, plan_version, parent_plan_id, plan_hash, barred_user_ids,
       barred_host_users, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 day') returning id`,
    [
      plan.actorId,
      plan.thinkId,
      plan.version,
      plan.parentPlanId,
      plan.planHash,
      plan.barredUserIds,
      plan.barredHostUsers,
      plan.days,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('The plan was not stored.');
  return row.id;
}

export async function insertAction(
  tx: Tx,
  planId: number,
  order: number,
  { reasoning, definition }: { readonly reasoning: string; readonly definition: ActionDefinition },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.ai_plan_actions (plan_id, action_order, type, reasoning, definition)
     values ($1, $2, $3, $4, $5::jsonb) returning id`,
    [planId, order, definition.type, reasoning, JSON.stringify(definition)],
  );
  const [row] = rows;
  if (!row) throw new Error('The action was not stored.');
  return row.id;
}

export async function saveSample(tx: Tx, actionId: number, sealed: string): Promise<void> {
  await tx.query('update svc.ai_plan_actions set sample_sealed = $2 where id = $1', [actionId, sealed]);
}

/** Ids of the records that an action created. */
export type ActionResult = {
  readonly queryId?: number;
  readonly subscriptionId?: number;
  readonly contractId?: number;
};

export async function markApplied(tx: Tx, actionId: number, result: ActionResult): Promise<void> {
  await tx.query(
    `update svc.ai_plan_actions set is_applied = true, result_query_id = $2, result_subscription_id = $3,
       result_contract_id = $4 where id = $1`,
    [actionId, result.queryId ?? null, result.subscriptionId ?? null, result.contractId ?? null],
  );
}

export type PlanEnd = {
  readonly status: Exclude<AiPlanStatus, 'Pending'>;
  readonly userId: number | null;
  readonly hostUser: string | null;
  readonly comment: string | null;
};

/** Ends a pending plan and deletes its sample rows. */
export async function endPlan(tx: Tx, id: number, end: PlanEnd): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.ai_plans set status = $2, decided_by_user_id = $3, decided_by_host_user = $4, comment = $5,
       decided_at = now() where id = $1 and status = 'Pending'`,
    [id, end.status, end.userId, end.hostUser, end.comment],
  );
  if (rowCount !== 1) return false;
  await tx.query('update svc.ai_plan_actions set sample_sealed = null where plan_id = $1', [id]);
  return true;
}

/** Lists expired plans with their actors. */
export async function overduePlans(
  executor: Executor,
  now: Date | null,
): Promise<{ readonly id: number; readonly actorId: number }[]> {
  const { rows } = await executor.query<{ id: number; actorId: number }>(
    `select id, actor_id as "actorId" from svc.ai_plans
     where status = 'Pending' and expires_at < coalesce($1::timestamptz, now()) order by id`,
    [now],
  );
  return rows;
}

export async function recipientNames(
  executor: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await executor.query<{ id: number; name: string }>(
    'select id, name from svc.recipients where id = any($1::int[])',
    [ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

import type { AiActor, AiActorState } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

/** A stored actor, with the names and counts for its display. */
export type ActorRow = {
  readonly id: number;
  readonly projectId: number;
  readonly projectName: string;
  readonly dataSourceId: number;
  readonly dataSourceName: string;
  readonly name: string;
  readonly instructions: string;
  readonly additionalContext: string | null;
  readonly state: AiActorState;
  readonly thinkSchedule: string | null;
  readonly timeZone: string;
  readonly isThinkingAfterRuns: boolean;
  readonly maxQueries: number;
  readonly maxSubscriptionsPerQuery: number;
  readonly maxActionsPerPlan: number;
  readonly monthlyTokens: number;
  readonly defaultRecipientIds: readonly number[];
  readonly requiresApproval: boolean;
  readonly ownerUserId: number;
  readonly ownerName: string | null;
  readonly createdByUserId: number;
  readonly failedThinks: number;
  readonly lastFailure: string | null;
  readonly createdTime: Date;
  readonly updatedAt: Date;
  readonly version: number;
  readonly thinkCount: number;
  readonly lastThinkAt: Date | null;
  readonly pendingPlanId: number | null;
  readonly openThinkId: number | null;
  readonly totalTokens: number;
  readonly tokensThisMonth: number;
};

/** Stored settings of an actor. */
export type ActorSettings = Pick<
  ActorRow,
  | 'name'
  | 'instructions'
  | 'additionalContext'
  | 'thinkSchedule'
  | 'timeZone'
  | 'isThinkingAfterRuns'
  | 'maxQueries'
  | 'maxSubscriptionsPerQuery'
  | 'maxActionsPerPlan'
  | 'monthlyTokens'
  | 'defaultRecipientIds'
  | 'requiresApproval'
>;

export const actorSortable: Sortable = {
  name: 'lower(a.name) collate "C"',
  createdTime: 'a.created_time',
  lastThinkAt: 't.last',
};

const columns = `a.id, a.project_id as "projectId", p.name as "projectName", a.data_source_id as "dataSourceId",
  d.name as "dataSourceName", a.name, a.instructions, a.additional_context as "additionalContext", a.state,
  a.think_schedule as "thinkSchedule", a.time_zone as "timeZone", a.is_thinking_after_runs as "isThinkingAfterRuns",
  a.max_queries as "maxQueries", a.max_subscriptions_per_query as "maxSubscriptionsPerQuery",
  a.max_actions_per_plan as "maxActionsPerPlan", a.monthly_tokens::float8 as "monthlyTokens",
  a.default_recipient_ids as "defaultRecipientIds", a.requires_approval as "requiresApproval",
  a.owner_user_id as "ownerUserId", coalesce(o.display_name, o.user_name) as "ownerName",
  a.created_by_user_id as "createdByUserId", a.failed_thinks as "failedThinks", a.last_failure as "lastFailure",
  a.created_time as "createdTime", a.updated_at as "updatedAt", a.version, t.count as "thinkCount",
  t.last as "lastThinkAt", t.tokens as "totalTokens",
  (select pl.id from svc.ai_plans pl where pl.actor_id = a.id and pl.status = 'Pending') as "pendingPlanId",
  (select h.id from svc.ai_thinks h where h.actor_id = a.id and h.finished_at is null) as "openThinkId",
  coalesce((select b.spent + b.reserved from svc.llm_budgets b where b.scope = 'ActorMonth' and b.subject_id = a.id
    and b.starts_on = date_trunc('month', now() at time zone 'UTC')::date), 0)::float8 as "tokensThisMonth"`;
const from = `svc.ai_actors a join svc.projects p on p.id = a.project_id and p.archived_at is null
  join svc.data_sources d on d.id = a.data_source_id left join svc.users o on o.id = a.owner_user_id
  cross join lateral (select count(*)::int as count, max(h.ordered_at) as last,
    coalesce(sum(h.input_tokens + h.output_tokens), 0)::float8 as tokens
    from svc.ai_thinks h where h.actor_id = a.id) t`;

export type ActorFilter = {
  readonly search: string | null;
  readonly projectId: number | null;
  readonly dataSourceId: number | null;
  readonly state: AiActorState | null;
};

/**
 * Lists one page of the actors in the given projects. Null: all projects. Includes archived actors if the filter requests
 * them.
 */
export async function listActors(
  executor: Executor,
  projectIds: readonly number[] | null,
  { search, projectId, dataSourceId, state }: ActorFilter,
  page: PageRequest,
): Promise<{ rows: ActorRow[]; totalCount: number }> {
  const where = `($1::int[] is null or a.project_id = any($1::int[]))
    and ($2::text is null or position(lower($2) in lower(a.name)) > 0)
    and ($3::int is null or a.project_id = $3) and ($4::int is null or a.data_source_id = $4)
    and case when $5::text is null then a.state <> 'Archived' else a.state = $5 end`;
  const values = [projectIds, search, projectId, dataSourceId, state];
  const { rows } = await executor.query<ActorRow>(
    `select ${columns} from ${from} where ${where} order by ${orderBy(page)} limit $6 offset $7`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from ${from} where ${where}`,
    values,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export async function findActor(executor: Executor, id: number): Promise<ActorRow | undefined> {
  const { rows } = await executor.query<ActorRow>(`select ${columns} from ${from} where a.id = $1`, [id]);
  return rows[0];
}

/**
 * Locks an actor and reads it. Limits are checked and actions are applied under this lock, which is taken before any
 * other.
 */
export async function lockActor(tx: Tx, id: number): Promise<ActorRow | undefined> {
  await tx.query('select from svc.ai_actors where id = $1 for no key update', [id]);
  return findActor(tx, id);
}

/** Lists the live queries that an actor created. */
export async function queriesOfActor(executor: Executor, id: number): Promise<AiActor['queries']> {
  const { rows } = await executor.query<AiActor['queries'][number]>(
    `select q.id as "queryId", q.name, q.is_locked as "isLocked",
       (select count(*)::int from svc.subscriptions s where s.query_id = q.id and s.ai_actor_id = $1
         and s.archived_at is null) as "subscriptionCount"
     from svc.queries q where q.ai_actor_id = $1 and q.archived_at is null order by q.id`,
    [id],
  );
  return rows;
}

const valuesOf = (settings: ActorSettings) => [
  settings.name,
  settings.instructions,
  settings.additionalContext,
  settings.thinkSchedule,
  settings.timeZone,
  settings.isThinkingAfterRuns,
  settings.maxQueries,
  settings.maxSubscriptionsPerQuery,
  settings.maxActionsPerPlan,
  settings.monthlyTokens,
  settings.defaultRecipientIds,
  settings.requiresApproval,
];

export async function insertActor(
  tx: Tx,
  place: { readonly projectId: number; readonly dataSourceId: number; readonly state: AiActorState },
  settings: ActorSettings,
  ownerUserId: number,
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.ai_actors (name, instructions, additional_context, think_schedule, time_zone,
       is_thinking_after_runs, max_queries, max_subscriptions_per_query, max_actions_per_plan, monthly_tokens,
       default_recipient_ids, requires_approval, project_id, data_source_id, state, owner_user_id, created_by_user_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16) returning id`,
    [...valuesOf(settings), place.projectId, place.dataSourceId, place.state, ownerUserId],
  );
  const [row] = rows;
  if (!row) throw new Error('The actor was not stored.');
  return row.id;
}

export async function updateActor(tx: Tx, id: number, settings: ActorSettings): Promise<void> {
  await tx.query(
    `update svc.ai_actors set name = $1, instructions = $2, additional_context = $3, think_schedule = $4,
       time_zone = $5, is_thinking_after_runs = $6, max_queries = $7, max_subscriptions_per_query = $8,
       max_actions_per_plan = $9, monthly_tokens = $10, default_recipient_ids = $11, requires_approval = $12,
       updated_at = now(), version = version + 1 where id = $13`,
    [...valuesOf(settings), id],
  );
}

export async function setActorState(tx: Tx, id: number, state: AiActorState): Promise<void> {
  await tx.query(
    `update svc.ai_actors set state = $2, failed_thinks = case when $2 = 'Active' then 0 else failed_thinks end,
       last_failure = case when $2 = 'Active' then null else last_failure end,
       updated_at = now(), version = version + 1 where id = $1`,
    [id, state],
  );
}

export async function setActorOwner(tx: Tx, id: number, userId: number): Promise<void> {
  await tx.query(
    'update svc.ai_actors set owner_user_id = $2, updated_at = now(), version = version + 1 where id = $1',
    [id, userId],
  );
}

/**
 * Stores the result of the last think and counts failures. The version of the actor does not change, so no client has to
 * reload it.
 */
export async function noteThink(tx: Tx, id: number, failure: string | null): Promise<number> {
  const { rows } = await tx.query<{ failedThinks: number }>(
    `update svc.ai_actors set last_failure = $2::text, failed_thinks = case when $2::text is null then 0 else failed_thinks + 1 end
     where id = $1 returning failed_thinks as "failedThinks"`,
    [id, failure],
  );
  return rows[0]?.failedThinks ?? 0;
}

/** Returns the ids of the recipients that exist and are not archived. */
export async function liveRecipients(executor: Executor, ids: readonly number[]): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    'select id from svc.recipients where id = any($1::int[]) and archived_at is null',
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Lists active actors, oldest first. The upkeep checks their owners. */
export async function activeActorIds(executor: Executor): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    "select id from svc.ai_actors where state = 'Active' order by id",
  );
  return rows.map(({ id }) => id);
}

import type { Executor } from '../../../platform/db/index.ts';

/** A subscription that an actor created. */
export type OwnSubscription = {
  readonly id: number;
  readonly cronExpression: string;
  readonly timeZone: string;
  readonly notificationTrigger: string;
  readonly version: number;
  /** A user has changed it, so the actor must not change it any more. */
  readonly isEdited: boolean;
};

/** A query that an actor created, with the facts that the model gets: counts and states, no rows. */
export type OwnQuery = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly sql: string;
  readonly isLocked: boolean;
  readonly activeVersionId: number | null;
  /** A user has saved another definition, or one is waiting for approval. */
  readonly isEdited: boolean;
  readonly subscriptions: OwnSubscription[];
  readonly lastRuns: {
    readonly status: string;
    readonly resultCount: number | null;
    readonly dueAt: string;
  }[];
};

const subscriptions = `coalesce((select json_agg(json_build_object('id', s.id, 'cronExpression', s.cron_expression,
    'timeZone', s.time_zone, 'notificationTrigger', s.notification_trigger, 'version', s.version,
    'isEdited', s.version <> 1 or coalesce(s.snoozed_until > now(), false) or exists (
      select from svc.ai_plan_actions m where m.result_subscription_id = s.id and array(
        select jsonb_array_elements_text(m.definition->'recipientIds')::int order by 1) is distinct from array(
        select r.recipient_id from svc.subscription_recipients r where r.subscription_id = s.id order by 1)))
    order by s.id)
  from svc.subscriptions s where s.query_id = q.id and s.ai_actor_id = $1 and s.archived_at is null), '[]')`;
const runs = `coalesce((select json_agg(json_build_object('status', r.status, 'resultCount', r.result_count,
    'dueAt', r.due_at) order by r.due_at desc)
  from (select n.status, n.result_count, n.due_at from svc.runs n join svc.subscriptions s on s.id = n.subscription_id
    where s.query_id = q.id and s.ai_actor_id = $1 and n.status <> 'Created'
    order by n.due_at desc limit 5) r), '[]')`;

/** Lists the live queries that an actor created, oldest first. A query without exactly one step counts as edited by a user. */
export async function readOwn(executor: Executor, actorId: number): Promise<OwnQuery[]> {
  const { rows } = await executor.query<OwnQuery>(
    `select q.id, q.name, q.description, coalesce(one.sql, '') as sql, q.is_locked as "isLocked",
       q.active_version_id as "activeVersionId",
       one.sql is null or exists (select from svc.query_versions v where v.query_id = q.id
         and (v.status = 'PendingApproval' or v.status = 'Active' and v.change_source <> 'AiActor')) as "isEdited",
       ${subscriptions} as subscriptions, ${runs} as "lastRuns"
     from svc.queries q left join lateral (
       select min(st.sql) as sql from svc.query_steps st where st.query_id = q.id having count(*) = 1) one on true
     where q.ai_actor_id = $1 and q.archived_at is null order by q.id`,
    [actorId],
  );
  return rows;
}

/** An existing statement and its name. */
export type NamedStatement = { readonly name: string; readonly sql: string };

/** Lists the live queries of a project, with the statements of queries that have one step on the data source. */
export async function readExisting(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<readonly NamedStatement[]> {
  const { rows } = await executor.query<NamedStatement>(
    `select q.name, coalesce((select min(st.sql) from svc.query_steps st where st.query_id = q.id
       and st.data_source_id = $2 having count(*) = 1), '') as sql
     from svc.queries q where q.project_id = $1 and q.archived_at is null`,
    [projectId, dataSourceId],
  );
  return rows;
}

/** Lists the tables of a data source that have a live contract in a project, as `schema.table`. */
export async function readContractedTables(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await executor.query<{ name: string }>(
    `select schema_name || '.' || table_name as name from svc.data_contracts
     where project_id = $1 and data_source_id = $2 and archived_at is null`,
    [projectId, dataSourceId],
  );
  return new Set(rows.map(({ name }) => name));
}

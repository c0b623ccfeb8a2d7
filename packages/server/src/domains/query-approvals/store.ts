import { namedUsesMax } from '@svc/contract';
import type { Executor } from '../../platform/db/index.ts';

export type UsesRow = {
  readonly subscriptionCount: number;
  readonly recipientCount: number;
  readonly subscriptions: {
    readonly subscriptionId: number;
    readonly cronExpression: string;
    readonly timeZone: string;
    readonly ownerUserName: string | null;
    readonly recipientNames: string[];
  }[];
};

/** Returns the live subscriptions of a query and their recipients, which a change of the query affects. */
export async function findUses(executor: Executor, queryId: number): Promise<UsesRow> {
  const { rows } = await executor.query<UsesRow>(
    `with used as (
       select s.id, s.cron_expression, s.time_zone, coalesce(u.display_name, u.user_name) as owner
       from svc.subscriptions s left join svc.users u on u.id = s.owner_user_id
       where s.query_id = $1 and s.archived_at is null)
     select (select count(*)::int from used) as "subscriptionCount",
       (select count(distinct r.recipient_id)::int from svc.subscription_recipients r
         where r.subscription_id in (select id from used)) as "recipientCount",
       coalesce((select json_agg(json_build_object('subscriptionId', n.id, 'cronExpression', n.cron_expression,
           'timeZone', n.time_zone, 'ownerUserName', n.owner, 'recipientNames', (
             select coalesce(json_agg(c.name order by c.name, c.id), '[]') from svc.subscription_recipients r
               join svc.recipients c on c.id = r.recipient_id where r.subscription_id = n.id)) order by n.id)
         from (select * from used order by id limit $2) n), '[]') as subscriptions`,
    [queryId, namedUsesMax],
  );
  const [row] = rows;
  if (!row) throw new Error('A count is always answered.');
  return row;
}

/** Finds the project of a query, also when the query or the project is archived. */
export async function findProjectOf(
  executor: Executor,
  queryId: number,
): Promise<{ id: number } | undefined> {
  const { rows } = await executor.query<{ id: number }>(
    'select project_id as id from svc.queries where id = $1',
    [queryId],
  );
  return rows[0];
}

/** Returns the ids of the queries with a waiting version, in ascending order. */
export async function waitingQueryIds(executor: Executor): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    "select query_id as id from svc.approval_requests where kind = 'Query' and status = 'Pending' order by query_id",
  );
  return rows.map(({ id }) => id);
}

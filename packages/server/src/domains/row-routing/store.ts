import type { Executor, Tx } from '../../platform/db/index.ts';

export type StoredRouting = {
  readonly column: string;
  readonly fallbackRecipientId: number | null;
};

export type StoredRoute = {
  readonly no: number;
  readonly valueSealed: string;
  readonly recipientId: number;
  /** True: the recipient was archived and gets no messages. */
  readonly isArchived: boolean;
};

/** Returns the routing; undefined when every recipient gets all rows. */
export async function findRouting(
  executor: Executor,
  subscriptionId: number,
): Promise<StoredRouting | undefined> {
  const { rows } = await executor.query<StoredRouting>({
    name: 'row-routing-find',
    text: `select column_name as column, fallback_recipient_id as "fallbackRecipientId"
      from svc.subscription_routings where subscription_id = $1`,
    values: [subscriptionId],
  });
  return rows[0];
}

/** Returns the routes in the order of the input. */
export async function readRoutes(executor: Executor, subscriptionId: number): Promise<StoredRoute[]> {
  const { rows } = await executor.query<StoredRoute>({
    name: 'row-routing-routes',
    text: `select r.no, r.value_sealed as "valueSealed", r.recipient_id as "recipientId",
        rc.archived_at is not null as "isArchived"
      from svc.subscription_routes r join svc.recipients rc on rc.id = r.recipient_id
      where r.subscription_id = $1 order by r.no`,
    values: [subscriptionId],
  });
  return rows;
}

export async function deleteRouting(tx: Tx, subscriptionId: number): Promise<void> {
  await tx.query('delete from svc.subscription_routings where subscription_id = $1', [subscriptionId]);
}

export async function insertRouting(
  tx: Tx,
  subscriptionId: number,
  { column, fallbackRecipientId }: StoredRouting,
  routes: readonly Omit<StoredRoute, 'isArchived'>[],
): Promise<void> {
  await tx.query(
    `insert into svc.subscription_routings (subscription_id, column_name, fallback_recipient_id)
     values ($1, $2, $3)`,
    [subscriptionId, column, fallbackRecipientId],
  );
  await tx.query(
    `insert into svc.subscription_routes (subscription_id, no, value_sealed, recipient_id)
     select $1, u.* from unnest($2::int[], $3::text[], $4::int[]) u`,
    [
      subscriptionId,
      routes.map(({ no }) => no),
      routes.map(({ valueSealed }) => valueSealed),
      routes.map(({ recipientId }) => recipientId),
    ],
  );
}

/** Attaches the recipients in the routing of one subscription to another. */
export async function attachRouted(tx: Tx, fromId: number, toId: number): Promise<void> {
  await tx.query(
    `insert into svc.subscription_recipients (subscription_id, recipient_id, attached_by_user_id)
     select $2, sr.recipient_id, sr.attached_by_user_id from svc.subscription_recipients sr
     where sr.subscription_id = $1 and (
       exists (select from svc.subscription_routes r
         where r.subscription_id = $1 and r.recipient_id = sr.recipient_id)
       or exists (select from svc.subscription_routings g
         where g.subscription_id = $1 and g.fallback_recipient_id = sr.recipient_id))
     on conflict do nothing`,
    [fromId, toId],
  );
}

/** Returns true if the routing of a subscription includes the recipient. */
export async function isRoutedTo(
  executor: Executor,
  subscriptionId: number,
  recipientId: number,
): Promise<boolean> {
  const { rowCount } = await executor.query(
    `select from svc.subscription_routings g where g.subscription_id = $1
       and (g.fallback_recipient_id = $2 or exists (select from svc.subscription_routes r
         where r.subscription_id = g.subscription_id and r.recipient_id = $2))`,
    [subscriptionId, recipientId],
  );
  return rowCount === 1;
}

import type { NotificationType, RecipientState } from '@svc/contract';
import { sql } from 'kysely';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

/** A recipient as it is stored. */
export type RecipientRow = {
  id: number;
  name: string;
  description: string | null;
  notificationType: NotificationType;
  destinationSealed: string;
  headersSealed: string | null;
  signingSecretsSealed: string | null;
  bodyTemplate: string | null;
  state: RecipientState;
  approvedHash: string | null;
  isDemo: boolean;
  createdTime: Date;
  version: number;
  subscriptionCount: number;
};

export const sortable = {
  name: 'r.name collate "C"',
  notificationType: 'r.notification_type collate "C"',
  createdTime: 'r.created_time',
  id: 'r.id',
} as const;

const live = (executor: Executor) =>
  executor.kysely.selectFrom('svc.recipients as r').where('r.archived_at', 'is', null);

const columns = [
  'r.id',
  'r.name',
  'r.description',
  sql<NotificationType>`r.notification_type`.as('notificationType'),
  'r.destination_sealed as destinationSealed',
  'r.headers_sealed as headersSealed',
  'r.signing_secrets_sealed as signingSecretsSealed',
  'r.body_template as bodyTemplate',
  sql<RecipientState>`r.state`.as('state'),
  'r.approved_hash as approvedHash',
  'r.is_demo as isDemo',
  'r.created_time as createdTime',
  'r.version',
  sql<number>`(select count(*) from svc.subscription_recipients sr join svc.subscriptions s on s.id = sr.subscription_id
    where sr.recipient_id = r.id and s.archived_at is null)`.as('subscriptionCount'),
] as const;

/** One page of the recipients. */
export async function listRecipients(
  executor: Executor,
  filter: { search?: string | undefined; notificationType?: NotificationType | undefined },
  page: PageRequest,
): Promise<{ rows: RecipientRow[]; totalCount: number }> {
  let base = live(executor);
  if (filter.notificationType) base = base.where('r.notification_type', '=', filter.notificationType);
  if (filter.search) {
    base = base.where(
      sql<boolean>`position(lower(${filter.search}) in lower(r.name || ' ' || coalesce(r.description, ''))) > 0`,
    );
  }
  const counted = await base.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  const rows = await base
    .select(columns)
    .orderBy(sql.raw(orderBy(page)))
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, totalCount: counted.count };
}

/** One live recipient; undefined when it is missing or archived. */
export const findRecipient = (executor: Executor, id: number): Promise<RecipientRow | undefined> =>
  live(executor).select(columns).where('r.id', '=', id).executeTakeFirst();

/** Several live recipients, in no order; those that are missing or archived are left out. */
export const findRecipients = (executor: Executor, ids: readonly number[]): Promise<RecipientRow[]> =>
  live(executor).select(columns).where(sql<boolean>`r.id = any(${ids}::int[])`).execute();

/** The same, locked against other changes until the transaction ends. */
export async function lockRecipient(tx: Tx, id: number): Promise<RecipientRow | undefined> {
  await tx.query('select from svc.recipients where id = $1 for update', [id]);
  return findRecipient(tx, id);
}

export type RecipientFields = {
  name: string;
  description: string | null;
  notificationType: NotificationType;
  bodyTemplate: string | null;
  headerNames: readonly string[];
};

/** Makes the row; its secrets follow, since they are sealed to its id. */
export async function insertRecipient(
  tx: Tx,
  fields: RecipientFields,
  userId: number | null,
): Promise<number> {
  const { id } = await tx.kysely
    .insertInto('svc.recipients')
    .values({
      name: fields.name,
      description: fields.description,
      notification_type: fields.notificationType,
      body_template: fields.bodyTemplate,
      header_names: [...fields.headerNames],
      destination_sealed: '',
      created_by_user_id: userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateRecipient(tx: Tx, id: number, fields: RecipientFields): Promise<void> {
  await tx.kysely
    .updateTable('svc.recipients')
    .set({
      name: fields.name,
      description: fields.description,
      notification_type: fields.notificationType,
      body_template: fields.bodyTemplate,
      header_names: [...fields.headerNames],
      updated_at: sql<Date>`now()`,
      version: sql<number>`version + 1`,
    })
    .where('id', '=', id)
    .execute();
}

export async function saveSecrets(
  tx: Tx,
  id: number,
  sealed: { destinationSealed: string; headersSealed: string | null },
): Promise<void> {
  await tx.query('update svc.recipients set destination_sealed = $2, headers_sealed = $3 where id = $1', [
    id,
    sealed.destinationSealed,
    sealed.headersSealed,
  ]);
}

export async function archiveRecipient(tx: Tx, id: number): Promise<void> {
  await tx.query(
    'update svc.recipients set archived_at = now(), updated_at = now(), version = version + 1 where id = $1',
    [id],
  );
}

/** Names of queries whose live subscriptions use the recipient; at most ten. */
export async function usersOfRecipient(tx: Tx, id: number): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(
    `select distinct q.name from svc.subscription_recipients sr join svc.subscriptions s on s.id = sr.subscription_id
     join svc.queries q on q.id = s.query_id where sr.recipient_id = $1 and s.archived_at is null order by q.name limit 10`,
    [id],
  );
  return rows.map((row) => row.name);
}

/** Ids of the projects whose subscriptions the recipient is attached to. */
export async function projectsOfRecipient(tx: Tx, id: number): Promise<number[]> {
  const { rows } = await tx.query<{ projectId: number }>(
    `select distinct q.project_id as "projectId" from svc.subscription_recipients sr join svc.subscriptions s on s.id = sr.subscription_id
     join svc.queries q on q.id = s.query_id where sr.recipient_id = $1 and s.archived_at is null`,
    [id],
  );
  return rows.map((row) => row.projectId);
}

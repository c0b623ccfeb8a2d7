import type { NotificationType, NumberFormat, RecipientState } from '@svc/contract';
import { sql } from 'kysely';
import type { Executor, Queryable, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

export type RecipientRow = {
  id: number;
  name: string;
  description: string | null;
  notificationType: NotificationType;
  destinationSealed: string;
  headersSealed: string | null;
  signingSecretsSealed: string | null;
  bodyTemplate: string | null;
  numbers: NumberFormat;
  state: RecipientState;
  approvedHash: string | null;
  approvedSealed: string | null;
  waitingId: number | null;
  waitingSubmittedAt: Date | null;
  waitingUserId: number | null;
  waitingHostUser: string | null;
  waitingUserName: string | null;
  isDemo: boolean;
  createdTime: Date;
  version: number;
  subscriptionCount: number;
  contractCount: number;
};

export const sortable = {
  name: 'lower(r.name) collate "C"',
  notificationType: 'r.notification_type collate "C"',
  createdTime: 'r.created_time',
  id: 'r.id',
} as const;

const live = (executor: Executor) =>
  executor.kysely.selectFrom('svc.recipients as r').where('r.archived_at', 'is', null);

/** Adds the waiting request, if one exists. */
const shown = (executor: Executor) =>
  live(executor)
    .leftJoin('svc.approval_requests as c', (join) =>
      join.onRef('c.recipient_id', '=', 'r.id').on('c.status', '=', 'Pending'),
    )
    .leftJoin('svc.users as u', 'u.id', 'c.requested_by_user_id');

const columns = [
  'r.id',
  'r.name',
  'r.description',
  sql<NotificationType>`r.notification_type`.as('notificationType'),
  'r.destination_sealed as destinationSealed',
  'r.headers_sealed as headersSealed',
  'r.signing_secrets_sealed as signingSecretsSealed',
  'r.body_template as bodyTemplate',
  sql<NumberFormat>`r.number_format`.as('numbers'),
  sql<RecipientState>`r.state`.as('state'),
  'r.approved_hash as approvedHash',
  'r.approved_sealed as approvedSealed',
  'c.id as waitingId',
  'c.submitted_at as waitingSubmittedAt',
  'c.requested_by_user_id as waitingUserId',
  'c.requested_by_host_user as waitingHostUser',
  sql<string | null>`coalesce(u.display_name, u.user_name, c.requested_by_host_user)`.as('waitingUserName'),
  'r.is_demo as isDemo',
  'r.created_time as createdTime',
  'r.version',
  sql<number>`(select count(*) from svc.subscription_recipients sr
    join svc.subscriptions s on s.id = sr.subscription_id and s.archived_at is null
    join svc.queries q on q.id = s.query_id
    join svc.projects p on p.id = q.project_id and p.archived_at is null
    where sr.recipient_id = r.id)`.as('subscriptionCount'),
  sql<number>`(select count(*) from svc.contract_recipients cr
    join svc.data_contracts c on c.id = cr.contract_id and c.archived_at is null
    join svc.projects p on p.id = c.project_id and p.archived_at is null
    where cr.recipient_id = r.id)`.as('contractCount'),
] as const;

export async function listRecipients(
  executor: Executor,
  filter: { search?: string | undefined; notificationType?: NotificationType | undefined },
  page: PageRequest,
): Promise<{ rows: RecipientRow[]; totalCount: number }> {
  let base = shown(executor);
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

/** Finds a live recipient; undefined when it is missing or archived. */
export const findRecipient = (executor: Executor, id: number): Promise<RecipientRow | undefined> =>
  shown(executor).select(columns).where('r.id', '=', id).executeTakeFirst();

/** Locks a recipient until the transaction ends, and returns it if it is live. */
export async function lockRecipient(tx: Tx, id: number): Promise<RecipientRow | undefined> {
  await tx.query('select from svc.recipients where id = $1 for update', [id]);
  return findRecipient(tx, id);
}

/** Fields of a recipient that a delivery needs. */
export type RecipientToSend = Pick<
  RecipientRow,
  | 'id'
  | 'notificationType'
  | 'destinationSealed'
  | 'headersSealed'
  | 'signingSecretsSealed'
  | 'bodyTemplate'
  | 'numbers'
  | 'state'
  | 'approvedHash'
>;

/** Returns live recipients, unordered. Missing and archived recipients are omitted. */
export async function recipientsToSend(
  executor: Queryable,
  ids: readonly number[],
): Promise<RecipientToSend[]> {
  const { rows } = await executor.query<RecipientToSend>({
    name: 'recipients-to-send',
    text: `select id, notification_type as "notificationType", destination_sealed as "destinationSealed",
        headers_sealed as "headersSealed", signing_secrets_sealed as "signingSecretsSealed",
        body_template as "bodyTemplate", number_format as "numbers", state, approved_hash as "approvedHash"
      from svc.recipients where id = any($1::int[]) and archived_at is null`,
    values: [ids],
  });
  return rows;
}

export type RecipientFields = {
  name: string;
  description: string | null;
  notificationType: NotificationType;
  bodyTemplate: string | null;
  headerNames: readonly string[];
};

/** Inserts the row without secrets. The caller adds them afterwards, because they are sealed to the row id. */
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

/** Writes the approval state of a recipient. */
export async function setApproval(
  tx: Tx,
  id: number,
  approval: { state: RecipientState; approvedHash: string | null; approvedSealed: string | null },
): Promise<void> {
  await tx.query(
    'update svc.recipients set state = $2, approved_hash = $3, approved_sealed = $4, updated_at = now() where id = $1',
    [id, approval.state, approval.approvedHash, approval.approvedSealed],
  );
}

/** Restores type and header names of an earlier definition. Deletes a body template of another type. */
export async function restoreDefinition(
  tx: Tx,
  id: number,
  definition: { notificationType: NotificationType; headerNames: readonly string[] },
): Promise<void> {
  await tx.query(
    `update svc.recipients set notification_type = $2, header_names = $3, updated_at = now(), version = version + 1,
       body_template = case when notification_type = $2 then body_template end
     where id = $1`,
    [id, definition.notificationType, definition.headerNames],
  );
}

/**
 * Uses of a recipient: live subscriptions and live data contracts. Uses in an archived project do not count: no user
 * can detach them, and they send nothing.
 */
const uses = `(
    select s.id as subscription_id, q.id as query_id, q.name as query_name, null::int as contract_id,
      null::text as contract_name, q.project_id
    from svc.subscription_recipients sr
      join svc.subscriptions s on s.id = sr.subscription_id and s.archived_at is null
      join svc.queries q on q.id = s.query_id
    where sr.recipient_id = $1
    union all
    select null, null, null, c.id, c.name, c.project_id
    from svc.contract_recipients cr
      join svc.data_contracts c on c.id = cr.contract_id and c.archived_at is null
    where cr.recipient_id = $1) u
  join svc.projects p on p.id = u.project_id and p.archived_at is null`;

/** Counts the live subscriptions and data contracts that send to a recipient. */
export async function useCountOf(executor: Queryable, id: number): Promise<number> {
  const { rows } = await executor.query<{ count: number }>(`select count(*) as count from ${uses}`, [id]);
  return rows[0]?.count ?? 0;
}

export type RecipientUseRow = {
  subscriptionId: number | null;
  queryId: number | null;
  queryName: string | null;
  contractId: number | null;
  contractName: string | null;
  projectId: number;
  projectName: string;
};

export const usesSortable = {
  queryName: 'coalesce(u.query_name, u.contract_name) collate "C"',
  projectName: 'p.name collate "C"',
  subscriptionId: 'u.subscription_id',
} as const;

/** Gives uses with the same name a stable order. */
export const usesUnique = '(u.subscription_id, u.contract_id)';

/** Returns one page of the uses of a recipient; `projectIds` null: of every project. */
export async function listUses(
  executor: Queryable,
  id: number,
  projectIds: readonly number[] | null,
  page: PageRequest,
): Promise<{ rows: RecipientUseRow[]; totalCount: number }> {
  const from = `from ${uses} where ($2::int[] is null or u.project_id = any($2::int[]))`;
  const counted = await executor.query<{ count: number }>(`select count(*) as count ${from}`, [
    id,
    projectIds,
  ]);
  const { rows } = await executor.query<RecipientUseRow>(
    `select u.subscription_id as "subscriptionId", u.query_id as "queryId", u.query_name as "queryName",
       u.contract_id as "contractId", u.contract_name as "contractName", p.id as "projectId", p.name as "projectName"
     ${from} order by ${orderBy(page)} limit $3 offset $4`,
    [id, projectIds, page.limit, page.offset],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Returns the ids of the projects with subscriptions or data contracts that use the recipient. */
export async function projectsOfRecipient(tx: Tx, id: number): Promise<number[]> {
  const { rows } = await tx.query<{ projectId: number }>(
    `select distinct u.project_id as "projectId" from ${uses}`,
    [id],
  );
  return rows.map((row) => row.projectId);
}

/** Counts the recipients that the workflow would block if it were on, and the recipients with unencrypted secrets. */
export async function countUnusual(
  executor: Queryable,
): Promise<{ notApproved: number; notEncrypted: number }> {
  const { rows } = await executor.query<{ notApproved: number; notEncrypted: number }>(
    `select count(*) filter (where state <> 'Approved') as "notApproved",
       count(*) filter (where destination_sealed not like 'v1.%' or headers_sealed not like 'v1.%') as "notEncrypted"
     from svc.recipients where archived_at is null`,
  );
  return rows[0] ?? { notApproved: 0, notEncrypted: 0 };
}

/** Returns the ids of recipients with unencrypted secrets, including archived ones: no plain secret may remain. */
export async function plainRecipientIds(executor: Queryable): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select id from svc.recipients where destination_sealed not like 'v1.%' or headers_sealed not like 'v1.%' order by id`,
  );
  return rows.map(({ id }) => id);
}

export type SecretsRow = Pick<
  RecipientRow,
  'id' | 'notificationType' | 'destinationSealed' | 'headersSealed'
>;

/** Returns the secrets of a recipient, archived or not, and locks the row until the transaction ends. */
export async function lockSecrets(tx: Tx, id: number): Promise<SecretsRow | undefined> {
  const { rows } = await tx.query<SecretsRow>(
    `select id, notification_type as "notificationType", destination_sealed as "destinationSealed",
       headers_sealed as "headersSealed" from svc.recipients where id = $1 for update`,
    [id],
  );
  return rows[0];
}

/** Returns the ids of live recipients with an approved hash. */
export async function governedRecipientIds(executor: Queryable): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    'select id from svc.recipients where approved_hash is not null and archived_at is null order by id',
  );
  return rows.map(({ id }) => id);
}

/** Replaces an approved hash, unless it changed in the meantime. */
export async function replaceApprovedHash(
  executor: Queryable,
  id: number,
  from: string,
  to: string,
): Promise<void> {
  await executor.query('update svc.recipients set approved_hash = $3 where id = $1 and approved_hash = $2', [
    id,
    from,
    to,
  ]);
}

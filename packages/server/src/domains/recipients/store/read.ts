import type { NotificationType, NumberFormat, RecipientState } from '@svc/contract';
import { sql } from 'kysely';
import type { Executor, Queryable, Tx } from '../../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../../platform/http/index.ts';

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

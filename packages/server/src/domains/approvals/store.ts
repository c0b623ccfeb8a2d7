import type { ChangedPart, ChangeKind, ChangeStatus } from '@svc/contract';
import { sql } from 'kysely';
import type { Executor, Queryable, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';
import type { ChangeReview, SubmittedChange } from './subject.ts';

/** A stored request, with the names for its display. */
export type ChangeRow = {
  id: number;
  kind: ChangeKind;
  targetId: number;
  targetName: string;
  projectName: string | null;
  status: ChangeStatus;
  isNew: boolean;
  changedParts: ChangedPart[];
  proposedHash: string;
  versionId: number | null;
  review: ChangeReview | null;
  requestedByUserId: number | null;
  /** Further users with a part in a plan of an AI actor. They must not decide about it. */
  barredUserIds: number[];
  barredHostUsers: string[];
  requestedByHostUser: string | null;
  requestedByUserName: string | null;
  createdTime: Date;
  submittedAt: Date;
  decidedByUserName: string | null;
  decidedAt: Date | null;
  comment: string | null;
};

/** Record column for each kind of request. */
const targetColumns = { Recipient: 'c.recipient_id', Query: 'c.query_id', Plan: 'c.ai_plan_id' } as const;

/** A person in a request: a stored user, or a host's user. */
export type Person = { readonly userId: number | null; readonly hostUser: string | null };

export const sortable = {
  createdTime: 'c.created_time',
  submittedAt: 'c.submitted_at',
  decidedAt: 'c.decided_at',
  status: 'c.status collate "C"',
  targetName: 'coalesce(r.name, q.name, a.name) collate "C"',
  id: 'c.id',
} as const;

const nameOf = (user: 'requester' | 'decider', hostUser: string) =>
  sql<
    string | null
  >`coalesce(${sql.ref(`${user}.display_name`)}, ${sql.ref(`${user}.user_name`)}, ${sql.ref(hostUser)})`;

const changes = (executor: Executor) =>
  executor.kysely
    .selectFrom('svc.approval_requests as c')
    .leftJoin('svc.recipients as r', 'r.id', 'c.recipient_id')
    .leftJoin('svc.queries as q', 'q.id', 'c.query_id')
    .leftJoin('svc.ai_plans as pl', 'pl.id', 'c.ai_plan_id')
    .leftJoin('svc.ai_actors as a', 'a.id', 'pl.actor_id')
    .leftJoin('svc.projects as p', (on) => on.on(sql<boolean>`p.id = coalesce(q.project_id, a.project_id)`))
    .leftJoin('svc.users as requester', 'requester.id', 'c.requested_by_user_id')
    .leftJoin('svc.users as decider', 'decider.id', 'c.decided_by_user_id');

const columns = [
  'c.id',
  sql<ChangeKind>`c.kind`.as('kind'),
  sql<number>`coalesce(c.recipient_id, c.query_id, c.ai_plan_id)`.as('targetId'),
  sql<string>`coalesce(r.name, q.name, a.name)`.as('targetName'),
  'p.name as projectName',
  sql<ChangeStatus>`c.status`.as('status'),
  'c.is_new as isNew',
  sql<ChangedPart[]>`c.changed_parts`.as('changedParts'),
  'c.proposed_hash as proposedHash',
  'c.query_version_id as versionId',
  sql<ChangeReview | null>`c.review`.as('review'),
  'c.requested_by_user_id as requestedByUserId',
  sql<number[]>`coalesce(pl.barred_user_ids, '{}')`.as('barredUserIds'),
  sql<string[]>`coalesce(pl.barred_host_users, '{}')`.as('barredHostUsers'),
  'c.requested_by_host_user as requestedByHostUser',
  nameOf('requester', 'c.requested_by_host_user').as('requestedByUserName'),
  'c.created_time as createdTime',
  'c.submitted_at as submittedAt',
  nameOf('decider', 'c.decided_by_host_user').as('decidedByUserName'),
  'c.decided_at as decidedAt',
  'c.comment',
] as const;

export type ChangesFilter = {
  readonly status?: ChangeStatus | undefined;
  readonly kind?: ChangeKind | undefined;
  readonly search?: string | undefined;
};

/** Lists one page of requests. */
export async function listChanges(
  executor: Executor,
  filter: ChangesFilter,
  page: PageRequest,
): Promise<{ rows: ChangeRow[]; totalCount: number }> {
  let base = changes(executor);
  if (filter.status) base = base.where('c.status', '=', filter.status);
  if (filter.kind) base = base.where('c.kind', '=', filter.kind);
  if (filter.search)
    base = base.where(
      sql<boolean>`position(lower(${filter.search}) in lower(coalesce(r.name, q.name, a.name))) > 0`,
    );
  const { count } = await base.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  const rows = await base
    .select(columns)
    .orderBy(sql.raw(orderBy(page)))
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { rows, totalCount: count };
}

export const findChange = (executor: Executor, id: number): Promise<ChangeRow | undefined> =>
  changes(executor).select(columns).where('c.id', '=', id).executeTakeFirst();

/** Finds the pending request about a record. */
export const findWaiting = (
  executor: Executor,
  kind: ChangeKind,
  targetId: number,
): Promise<ChangeRow | undefined> =>
  changes(executor)
    .select(columns)
    .where(targetColumns[kind], '=', targetId)
    .where('c.status', '=', 'Pending')
    .executeTakeFirst();

/** Like `findChange`, but locks the request until the transaction ends. Lock the record first. */
export async function lockChange(tx: Tx, id: number): Promise<ChangeRow | undefined> {
  await tx.query('select from svc.approval_requests where id = $1 for update', [id]);
  return findChange(tx, id);
}

export async function insertChange(tx: Tx, change: SubmittedChange, by: Person): Promise<number> {
  const { id } = await tx.kysely
    .insertInto('svc.approval_requests')
    .values({
      kind: change.kind,
      recipient_id: change.kind === 'Recipient' ? change.targetId : null,
      query_id: change.kind === 'Query' ? change.targetId : null,
      ai_plan_id: change.kind === 'Plan' ? change.targetId : null,
      query_version_id: change.versionId,
      is_new: change.isNew,
      changed_parts: [...change.changedParts],
      proposed_hash: change.proposedHash,
      requested_by_user_id: by.userId,
      requested_by_host_user: by.hostUser,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Replaces the content of a pending request. A reviewer who opened it before can no longer approve it. */
export async function amendChange(tx: Tx, id: number, change: SubmittedChange): Promise<void> {
  await tx.kysely
    .updateTable('svc.approval_requests')
    .set({
      changed_parts: [...change.changedParts],
      proposed_hash: change.proposedHash,
      query_version_id: change.versionId,
      submitted_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
}

/** Ends a pending request. */
export async function endChange(
  tx: Tx,
  id: number,
  end: { status: Exclude<ChangeStatus, 'Pending'>; by: Person; comment: string | null; review: ChangeReview },
): Promise<void> {
  await tx.query(
    `update svc.approval_requests set status = $2, decided_by_user_id = $3, decided_by_host_user = $4, comment = $5,
       review = $6, decided_at = now()
     where id = $1 and status = 'Pending'`,
    [id, end.status, end.by.userId, end.by.hostUser, end.comment, JSON.stringify(end.review)],
  );
}

/** Lists pending requests about recipients with the proposed hash, ordered by id. For a key rotation. */
export async function waitingHashes(
  executor: Queryable,
): Promise<{ id: number; recipientId: number; hash: string }[]> {
  const { rows } = await executor.query<{ id: number; recipientId: number; hash: string }>(
    `select id, recipient_id as "recipientId", proposed_hash as hash from svc.approval_requests
     where status = 'Pending' and kind = 'Recipient' order by id`,
  );
  return rows;
}

/** Replaces the hash, unless the request has changed in the meantime. */
export async function replaceHash(executor: Queryable, id: number, from: string, to: string): Promise<void> {
  await executor.query(
    `update svc.approval_requests set proposed_hash = $3 where id = $1 and proposed_hash = $2 and status = 'Pending'`,
    [id, from, to],
  );
}

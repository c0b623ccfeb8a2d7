import type { ProjectRole } from '@svc/contract';
import { sql } from 'kysely';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

export type MemberRow = {
  readonly user_id: number;
  readonly user_name: string;
  readonly display_name: string | null;
  readonly role: ProjectRole;
  readonly is_enabled: boolean;
  readonly added_at: Date;
  readonly added_by_user_id: number | null;
  readonly version: number;
};

export const memberSortable: Sortable = {
  userName: 'lower(u.user_name) collate "C"',
  role: 'm.role collate "C"',
  addedAt: 'm.added_at',
};

const memberColumns = `m.user_id, u.user_name, u.display_name, m.role, u.is_enabled, m.added_at, m.added_by_user_id, m.version
   from svc.project_members m join svc.users u on u.id = m.user_id`;

/** Returns one page of a project's members, without archived users. */
export async function listMembers(
  executor: Executor,
  projectId: number,
  filter: { readonly search: string | null },
  page: PageRequest,
): Promise<{ rows: MemberRow[]; total: number }> {
  const condition = `where m.project_id = $1 and u.archived_at is null and ($2::text is null
    or position(lower($2) in lower(u.user_name)) > 0 or position(lower($2) in lower(u.display_name)) > 0)`;
  const { rows } = await executor.query<MemberRow>(
    `select ${memberColumns} ${condition} order by ${orderBy(page)} limit $3 offset $4`,
    [projectId, filter.search, page.limit, page.offset],
  );
  const counted = await executor.query<{ total: number }>(
    `select count(*) as total from svc.project_members m join svc.users u on u.id = m.user_id ${condition}`,
    [projectId, filter.search],
  );
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export async function findMember(
  executor: Executor,
  projectId: number,
  userId: number,
): Promise<MemberRow | undefined> {
  const { rows } = await executor.query<MemberRow>(
    `select ${memberColumns} where m.project_id = $1 and m.user_id = $2 and u.archived_at is null`,
    [projectId, userId],
  );
  return rows[0];
}

/** Finds the live user with this id or this name (case-insensitive). */
export async function findUser(
  executor: Executor,
  identity: { readonly userId: number | null; readonly userName: string | null },
): Promise<number | undefined> {
  const { rows } = await executor.query<{ id: number }>(
    `select id from svc.users
      where archived_at is null and ($1::int is null or id = $1) and ($2::text is null or lower(user_name) = lower($2))`,
    [identity.userId, identity.userName],
  );
  return rows[0]?.id;
}

/** Adds a member. A second membership violates the primary key `project_members_pkey`. */
export async function insertMember(
  tx: Tx,
  member: { projectId: number; userId: number; role: ProjectRole; addedByUserId: number | null },
): Promise<void> {
  await tx.kysely
    .insertInto('svc.project_members')
    .values({
      project_id: member.projectId,
      user_id: member.userId,
      role: member.role,
      added_by_user_id: member.addedByUserId,
    })
    .execute();
}

export async function updateMember(
  tx: Tx,
  projectId: number,
  userId: number,
  role: ProjectRole,
): Promise<void> {
  await tx.kysely
    .updateTable('svc.project_members')
    .set({ role, version: sql<number>`version + 1` })
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteMember(tx: Tx, projectId: number, userId: number): Promise<void> {
  await tx.kysely
    .deleteFrom('svc.project_members')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute();
}

/** Counts the other ProjectAdmins of a project, without archived and disabled users. */
export async function countOtherProjectAdmins(
  executor: Executor,
  projectId: number,
  exceptUserId: number,
): Promise<number> {
  const { rows } = await executor.query<{ count: number }>(
    `select count(*) from svc.project_members m join svc.users u on u.id = m.user_id
      where m.project_id = $1 and m.role = 'ProjectAdmin' and m.user_id <> $2 and u.archived_at is null and u.is_enabled`,
    [projectId, exceptUserId],
  );
  return rows[0]?.count ?? 0;
}

/** Returns the ids of the members with the role ProjectAdmin, including disabled users. */
export async function findAdministratorIds(executor: Executor, projectId: number): Promise<number[]> {
  const { rows } = await executor.query<{ userId: number }>({
    name: 'members-administrator-ids',
    text: `select user_id as "userId" from svc.project_members
      where project_id = $1 and role = 'ProjectAdmin' order by user_id`,
    values: [projectId],
  });
  return rows.map(({ userId }) => userId);
}

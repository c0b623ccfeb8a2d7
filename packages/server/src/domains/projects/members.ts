import type { ListQuery, Page, ProjectMember, ProjectRole } from '@svc/contract';
import { type Caller, holds } from '../../platform/access/index.ts';
import { type Database, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import { badRequest, conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertVersion, lockForChange, requireRight } from './lock.ts';
import * as store from './member-store.ts';
import { presentMember } from './present.ts';
import { isLiveProject, lockProject } from './store.ts';

export type MembersService = {
  readonly list: (
    caller: Caller,
    projectId: number,
    query: ListQuery & { search?: string },
  ) => Promise<Page<ProjectMember>>;
  readonly add: (
    by: CallerActor,
    projectId: number,
    input: { userId?: number; userName?: string; role: ProjectRole },
  ) => Promise<ProjectMember>;
  readonly changeRole: (
    by: CallerActor,
    projectId: number,
    userId: number,
    role: ProjectRole,
    expectedVersion: number | undefined,
  ) => Promise<ProjectMember>;
  readonly remove: (
    by: CallerActor,
    projectId: number,
    userId: number,
    expectedVersion: number | undefined,
  ) => Promise<void>;
};

export type MembersDeps = { readonly database: Database; readonly audit: Audit };

/** Creates the service for members of projects. ProjectAdmins, UserAdmins and Admins may use it; an API key may not. */
export function createMembersService({ database, audit }: MembersDeps): MembersService {
  return {
    list: async (caller, projectId, query) => {
      if (!holds(caller, 'UserAdmin')) await requireRight(database, caller, projectId, 'Manage');
      else if (!(await isLiveProject(database, projectId))) throw notFound();
      const page = pageRequest(query, {
        sortable: store.memberSortable,
        byDefault: 'userName',
        unique: 'm.user_id',
      });
      const filter = { search: query.search || null };
      const { rows, total } = await store.listMembers(database, projectId, filter, page);
      return pageOf(rows.map(presentMember), total, page);
    },

    add: (by, projectId, { userId, userName, role }) =>
      database.transaction(async (tx) => {
        await lockForMembers(tx, by.caller, projectId);
        if ((userId === undefined) === (userName === undefined)) {
          throw badRequest('one-user-required', 'Name the user by userId or by userName, one of the two.');
        }
        const identity = { userId: userId ?? null, userName: userName?.trim() ?? null };
        const memberId = await store.findUser(tx, identity);
        if (memberId === undefined)
          throw badRequest('unknown-user', 'There is no such user.', [
            { path: '/userName', message: 'must be the name of a user' },
          ]);
        const member = { projectId, userId: memberId, role, addedByUserId: by.caller.userId };
        await store.insertMember(tx, member).catch((error: unknown) => {
          if (!isUniqueViolation(error, 'project_members_pkey')) throw error;
          throw conflict('already-a-member', 'This user is a member of the project already.');
        });
        await audit.record(tx, {
          event: 'projects.member_added',
          by,
          ...about(projectId, memberId),
          detail: { role },
        });
        return readMember(tx, projectId, memberId);
      }),

    changeRole: (by, projectId, userId, role, expectedVersion) =>
      database.transaction(async (tx) => {
        const { isRestricted } = await lockForMembers(tx, by.caller, projectId);
        const member = await readMember(tx, projectId, userId);
        assertVersion(member.version, expectedVersion);
        if (isRestricted && role !== 'ProjectAdmin')
          await assertAnotherAdmin(tx, by.caller, projectId, member);
        await store.updateMember(tx, projectId, userId, role);
        await audit.record(tx, {
          event: 'projects.member_role_changed',
          by,
          ...about(projectId, userId),
          detail: { role, roleBefore: member.role },
        });
        return readMember(tx, projectId, userId);
      }),

    remove: (by, projectId, userId, expectedVersion) =>
      database.transaction(async (tx) => {
        const { isRestricted } = await lockForMembers(tx, by.caller, projectId);
        const member = await readMember(tx, projectId, userId);
        assertVersion(member.version, expectedVersion);
        if (isRestricted) await assertAnotherAdmin(tx, by.caller, projectId, member);
        await store.deleteMember(tx, projectId, userId);
        await audit.record(tx, {
          event: 'projects.member_removed',
          by,
          ...about(projectId, userId),
          detail: { roleBefore: member.role },
        });
      }),
  };
}

const about = (projectId: number, userId: number) => ({
  subject: { kind: 'user', id: userId },
  projectId,
});

/** Serializes changes of one project's members, so that each decision uses the current members. */
async function lockForMembers(tx: Tx, caller: Caller, projectId: number): Promise<{ isRestricted: boolean }> {
  if (!holds(caller, 'UserAdmin')) {
    const project = await lockForChange(tx, caller, projectId, 'Manage');
    return { isRestricted: project.accessMode === 'Restricted' };
  }
  const project = await lockProject(tx, projectId);
  if (!project) throw notFound();
  return { isRestricted: project.access_mode === 'Restricted' };
}

async function readMember(tx: Tx, projectId: number, userId: number): Promise<ProjectMember> {
  const row = await store.findMember(tx, projectId, userId);
  if (!row) throw notFound();
  return presentMember(row);
}

/**
 * Prevents a project administrator from removing the last ProjectAdmin of a restricted project. A caller with the
 * permission `UserAdmin` may do that.
 */
async function assertAnotherAdmin(
  tx: Tx,
  caller: Caller,
  projectId: number,
  member: ProjectMember,
): Promise<void> {
  if (member.role !== 'ProjectAdmin' || holds(caller, 'UserAdmin')) return;
  if ((await store.countOtherProjectAdmins(tx, projectId, member.userId)) > 0) return;
  throw conflict(
    'last-project-admin',
    'A restricted project keeps at least one ProjectAdmin. Make somebody else ProjectAdmin first.',
  );
}

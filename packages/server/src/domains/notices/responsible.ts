import type { Permission } from '@svc/contract';
import { holds } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { findAdminIds, findHolderIds, findUsers, personOf } from '../users/index.ts';
import type { Subject } from './subjects.ts';

export type Responsible = {
  readonly userIds: readonly number[];
  /** True when the owner cannot be notified and other users receive the notice instead. */
  readonly standsIn: boolean;
};

/** Rights that decide which users may be notified. */
export type ReadingRights = Pick<ProjectRights, 'canRead' | 'administratorIds'>;

/**
 * Returns the users to notify about a subject: the first of these groups that is not empty.
 * - the owner
 * - the administrators of its project; without a project, the users with `permission`
 * - the Admins
 *
 * Only users count who may sign in and read the project. Without a project they need `permission` instead. Returns no
 * users when all groups are empty.
 */
export async function findResponsible(
  executor: Executor,
  rights: ReadingRights,
  { ownerUserId, projectId }: Subject,
  permission: Permission | null,
): Promise<Responsible> {
  const readersAmong = (userIds: readonly number[]) =>
    projectId === null
      ? findHolders(executor, permission, userIds)
      : findReaders(executor, rights, projectId, userIds);
  const owner = ownerUserId === null ? [] : await readersAmong([ownerUserId]);
  if (owner.length > 0) return { userIds: owner, standsIn: false };
  const administrators = await readersAmong(
    projectId !== null
      ? await rights.administratorIds(executor, projectId)
      : permission === null
        ? []
        : await findHolderIds(executor, permission),
  );
  // A subject with neither project nor owner has no owner to replace.
  const standsIn = projectId !== null || ownerUserId !== null;
  if (administrators.length > 0) return { userIds: administrators, standsIn };
  return { userIds: await readersAmong(await findAdminIds(executor)), standsIn };
}

/** Returns the given users who may sign in and read the project, by their stored roles and memberships. */
export async function findReaders(
  executor: Executor,
  rights: Pick<ReadingRights, 'canRead'>,
  projectId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const readers: number[] = [];
  for (const user of await findUsers(executor, userIds))
    if (await rights.canRead(executor, personOf(user), projectId)) readers.push(user.id);
  return readers;
}

/** Returns the given users who may sign in and have the permission. Null: no permission is required. */
async function findHolders(
  executor: Executor,
  permission: Permission | null,
  userIds: readonly number[],
): Promise<number[]> {
  const users = await findUsers(executor, userIds);
  const isReader = (user: (typeof users)[number]): boolean =>
    permission === null ? user.isEnabled && user.archivedAt === null : holds(personOf(user), permission);
  return users.filter(isReader).map(({ id }) => id);
}

import type { Permission } from '@svc/contract';
import { holds } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { findAdminIds, findHolderIds, findUsers, personOf } from '../users/index.ts';
import type { Subject } from './subjects.ts';

export type Responsible = {
  readonly userIds: readonly number[];
  /** True when the owner cannot be told and others are in their place. */
  readonly standsIn: boolean;
};

/** The rights that say who can be told. */
export type ReadingRights = Pick<ProjectRights, 'canRead' | 'administratorIds'>;

/**
 * Who is to be told of a subject: its owner, where the owner may sign in and read the project; else the project's
 * administrators, else the Admins, of whom the same is asked. Without a project those who hold the permission that
 * the subject belongs to take the place of its administrators and its readers. Nobody where there is none.
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
  // What has no project has no owner to stand in for, unless it names one.
  const standsIn = projectId !== null || ownerUserId !== null;
  if (administrators.length > 0) return { userIds: administrators, standsIn };
  return { userIds: await readersAmong(await findAdminIds(executor)), standsIn };
}

/** Those of the users who may sign in and read a project, as far as their stored rights and memberships say. */
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

/** Those of the users who may sign in and hold a permission; null: any of them. */
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

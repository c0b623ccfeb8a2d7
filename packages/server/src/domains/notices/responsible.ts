import type { Executor } from '../../platform/db/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { findAdminIds, findUsers, personOf } from '../users/index.ts';

/** What somebody answers for: it stands in a project and may have an owner. */
export type Subject = { readonly ownerUserId: number | null; readonly projectId: number };

export type Responsible = {
  readonly userIds: readonly number[];
  /** True when the owner cannot be told and others are in their place. */
  readonly standsIn: boolean;
};

/** The rights that say who can be told. */
export type ReadingRights = Pick<ProjectRights, 'canRead' | 'administratorIds'>;

/**
 * Who is to be told of a subject: its owner, where the owner may sign in and read the project; else the project's
 * administrators, else the Admins, of whom the same is asked. Nobody where there is none.
 */
export async function findResponsible(
  executor: Executor,
  rights: ReadingRights,
  { ownerUserId, projectId }: Subject,
): Promise<Responsible> {
  const readersAmong = (userIds: readonly number[]) => findReaders(executor, rights, projectId, userIds);
  const owner = ownerUserId === null ? [] : await readersAmong([ownerUserId]);
  if (owner.length > 0) return { userIds: owner, standsIn: false };
  const administrators = await readersAmong(await rights.administratorIds(executor, projectId));
  if (administrators.length > 0) return { userIds: administrators, standsIn: true };
  return { userIds: await readersAmong(await findAdminIds(executor)), standsIn: true };
}

/** Those of the users who may sign in and read a project, as far as their stored rights and memberships say. */
async function findReaders(
  executor: Executor,
  rights: ReadingRights,
  projectId: number,
  userIds: readonly number[],
): Promise<number[]> {
  const readers: number[] = [];
  for (const user of await findUsers(executor, userIds))
    if (await rights.canRead(executor, personOf(user), projectId)) readers.push(user.id);
  return readers;
}

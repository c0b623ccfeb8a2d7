import type { Tx } from '../../platform/db/index.ts';
import { badRequest } from '../../platform/http/index.ts';
import { includesRight, type ProjectRights } from '../projects/index.ts';
import { findUsers, personOf } from '../users/index.ts';

/**
 * Requires that a user may own a record of a project. The owner is responsible for it and must be able to repair it.
 *
 * @throws Refusal 400 for a user who is missing, disabled or archived, or who does not have Write in the project.
 */
export async function requireOwner(
  tx: Tx,
  rights: Pick<ProjectRights, 'rightIn'>,
  userId: number,
  projectId: number,
): Promise<void> {
  const [user] = await findUsers(tx, [userId]);
  if (!user?.isEnabled || user.archivedAt !== null)
    throw badRequest('unknown-user', 'The new owner must be an existing, enabled user.', [
      { path: '/userId', message: 'is no enabled user' },
    ]);
  if (includesRight(await rights.rightIn(tx, personOf(user), projectId), 'Write')) return;
  throw badRequest('owner-cannot-write', 'The new owner must have Write in the project.', [
    { path: '/userId', message: 'is a user without Write in the project' },
  ]);
}

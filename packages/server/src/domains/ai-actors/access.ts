import type { ProjectRight } from '@svc/contract';
import { type Caller, isAdmin } from '../../platform/access/index.ts';
import { personOf } from '../users/index.ts';

type StoredUser = Parameters<typeof personOf>[0];

/** Whether a caller may change an actor and have it think: its owner who still writes there, a ProjectAdmin, an Admin. */
export function mayManage(
  caller: Caller,
  actor: { readonly ownerUserId: number },
  right: ProjectRight | null,
): boolean {
  if (right === 'Manage' || isAdmin(caller)) return true;
  return right === 'Write' && caller.userId === actor.ownerUserId;
}

/** Who has a part in a plan, and so never decides about it. */
export type Barred = {
  readonly barredUserIds: readonly number[];
  readonly barredHostUsers: readonly string[];
};

export const hasPart = (
  { userId, hostUserId }: Caller,
  { barredUserIds, barredHostUsers }: Barred,
  ownerUserId: number,
): boolean =>
  (userId !== null && (userId === ownerUserId || barredUserIds.includes(userId))) ||
  (hostUserId !== undefined && barredHostUsers.includes(hostUserId));

/**
 * An actor as it acts: its owner with the rights of this moment, within its project alone, and without the permissions
 * that reach beyond projects.
 */
export const actingAs = (
  owner: StoredUser,
  { id, projectId }: { readonly id: number; readonly projectId: number },
): Caller => ({
  ...personOf(owner),
  kind: 'aiActor',
  aiActorId: id,
  permissions: new Set(),
  allowedProjectIds: [projectId],
});

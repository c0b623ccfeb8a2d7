import type { ProjectRight } from '@svc/contract';
import { type Caller, isAdmin } from '../../platform/access/index.ts';
import { personOf } from '../users/index.ts';

type StoredUser = Parameters<typeof personOf>[0];

/**
 * Returns true if the caller may change an actor and start its thinks. Allowed are its owner with write access to the
 * project, a ProjectAdmin, and an Admin.
 */
export function mayManage(
  caller: Caller,
  actor: { readonly ownerUserId: number },
  right: ProjectRight | null,
): boolean {
  if (right === 'Manage' || isAdmin(caller)) return true;
  return right === 'Write' && caller.userId === actor.ownerUserId;
}

/** Users with a part in a plan. They must not decide about it. */
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
 * Returns the caller that an actor acts as: its owner with the current rights. The caller is limited to the actor's
 * project and has no permissions that apply beyond projects.
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

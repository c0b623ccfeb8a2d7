import { anonymousCaller, type Caller } from '../../platform/access/index.ts';
import { noRights, rightsOf } from './access.ts';
import type { StoredUser } from './store.ts';

/**
 * A stored user as whoever they would be if they came now, for questions that nobody asks in a request: what may be
 * told to them by itself. Without any right while disabled or archived.
 */
export const personOf = (user: StoredUser): Caller => ({
  ...anonymousCaller,
  kind: 'system',
  userId: user.id,
  userName: user.userName,
  ...(user.isEnabled && user.archivedAt === null ? rightsOf(user.roles, user.isSuperAdmin) : noRights),
});

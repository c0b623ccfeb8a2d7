import { anonymousCaller, type Caller } from '../../platform/access/index.ts';
import { noRights, rightsOf } from './access.ts';
import type { StoredUser } from './store.ts';

/**
 * Returns a stored user as a caller, for checks outside a request, such as the recipients of a notice. Disabled and
 * archived users have no rights.
 */
export const personOf = (user: StoredUser): Caller => ({
  ...anonymousCaller,
  kind: 'system',
  userId: user.id,
  userName: user.userName,
  ...(user.isEnabled && user.archivedAt === null ? rightsOf(user.roles, user.isSuperAdmin) : noRights),
});

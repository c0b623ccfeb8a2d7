import type { CurrentUser } from '@svc/contract';
import type { StoredUser } from '../users/index.ts';

/** Parts of the response that do not depend on the user. */
export type Surroundings = {
  readonly realtimeEnabled: boolean;
  readonly externalLoginUrl: string | undefined;
};

const shared = (surroundings: Surroundings) => ({
  realtimeEnabled: surroundings.realtimeEnabled,
  externalLogin:
    surroundings.externalLoginUrl === undefined ? null : { loginUrl: surroundings.externalLoginUrl },
});

export const presentAnonymous = (surroundings: Surroundings): CurrentUser => ({
  isAuthenticated: false,
  userId: null,
  userName: null,
  displayName: null,
  email: null,
  roles: [],
  mustChangePassword: false,
  sessionExpiresAt: null,
  timeZone: null,
  theme: null,
  ...shared(surroundings),
});

export const presentCurrentUser = (
  user: StoredUser,
  sessionExpiresAt: Date | undefined,
  surroundings: Surroundings,
): CurrentUser => ({
  isAuthenticated: true,
  userId: user.id,
  userName: user.userName,
  displayName: user.displayName,
  email: user.email,
  roles: [...user.roles],
  mustChangePassword: user.mustChangePassword,
  sessionExpiresAt: sessionExpiresAt?.toISOString() ?? null,
  timeZone: user.timeZone,
  theme: user.theme,
  ...shared(surroundings),
});

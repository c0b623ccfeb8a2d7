import type { LoginRequest } from '@svc/contract';
import type { PasswordHashing } from '../passwords/index.ts';
import type { AuthMethod } from '../sessions/index.ts';
import type { StoredUser } from '../users/index.ts';

/** Returns the external user that the host confirms. */
export type ExternalUser = (
  credentials: { username: string; password: string },
  signal: AbortSignal,
) => Promise<StoredUser | undefined>;

export type IdentifyDeps = {
  readonly hashing: PasswordHashing;
  /** Checks credentials at the host that match no local user. Returns undefined when the host refuses them. */
  readonly externalUser: ExternalUser | undefined;
  readonly settings: {
    readonly localLoginEnabled: boolean;
    readonly breakGlassUserNames: readonly string[];
  };
};

/** Creates the decision who signs in with credentials, and by which method. */
export function createIdentify({ hashing, externalUser, settings }: IdentifyDeps) {
  /** Returns the method that the user's password counts as; undefined when it does not count. */
  const methodFor = (user: StoredUser, typedName: string): AuthMethod | undefined => {
    if (user.kind !== 'Internal' || !user.isEnabled || user.archivedAt !== null) return undefined;
    if (settings.localLoginEnabled) return 'Password';
    const isNamed = settings.breakGlassUserNames.includes(user.userName) && typedName === user.userName;
    return isNamed ? 'BreakGlass' : undefined;
  };

  /** Returns true if the user may still sign in by this method. */
  const mayUse = (user: StoredUser, method: AuthMethod, typedName: string): boolean =>
    method === 'ExternalLogin'
      ? user.kind === 'External' && user.isEnabled && user.archivedAt === null
      : methodFor(user, typedName) === method;

  /** Returns the user of the credentials, and the method. */
  const identify = async (
    request: LoginRequest,
    user: StoredUser | undefined,
    signal: AbortSignal,
  ): Promise<{ userId: number; method: AuthMethod } | undefined> => {
    const method = user && methodFor(user, request.username);
    // Without a user the same work is done, so that the response time reveals nothing.
    const isRight = await hashing.verify(request.password, method ? user.passwordHash : null);
    if (method) return isRight ? { userId: user.id, method } : undefined;
    if (!settings.localLoginEnabled || !externalUser || user?.kind === 'Internal') return undefined;
    const external = await externalUser(request, signal);
    return external && { userId: external.id, method: 'ExternalLogin' };
  };

  return { identify, mayUse };
}

import type { CurrentUser, Permissions, SignInOptions } from '@svc/contract';
import { permissions } from '@svc/contract';
import { type Caller, canRead, canWrite, holds, isAdmin } from '../../platform/access/index.ts';
import type { Actor } from '../audit/index.ts';
import { findUser } from '../users/index.ts';
import { presentAnonymous, presentCurrentUser, type Surroundings } from './current-user.ts';
import { createSignIn, type SignInDeps } from './sign-in.ts';

export type SignInSettings = Surroundings & {
  readonly localLoginEnabled: boolean;
  readonly breakGlassUserNames: readonly string[];
  readonly migrationsEnabled: boolean;
  /** Label of the single sign-on button; undefined: not offered. */
  readonly ssoDisplayName: string | undefined;
};

export type SignInService = ReturnType<typeof createSignInService>;

/** Creates the sign-in and sign-out of users, and the view of the current user. */
export function createSignInService(deps: SignInDeps & { readonly settings: SignInSettings }) {
  const { database, audit, sessions, settings } = deps;
  return {
    signIn: createSignIn(deps),

    signOut: async (actor: Actor, { everywhere }: { everywhere: boolean }): Promise<void> => {
      const caller = actor.caller;
      if (caller?.kind !== 'session' || caller.userId === null || caller.sessionId === null) return;
      const { userId, sessionId } = caller;
      await database.transaction(async (tx) => {
        if (everywhere) await sessions.endAllOf(tx, userId, 'SignedOutEverywhere');
        else await sessions.end(tx, sessionId, 'SignedOut');
        await audit.record(tx, {
          event: everywhere ? 'auth.signed_out_everywhere' : 'auth.sign_out',
          by: actor,
          subject: { kind: 'user', id: userId },
        });
      });
    },

    currentUser: async (caller: Caller): Promise<CurrentUser> => {
      if (caller.kind === 'anonymous') return presentAnonymous(settings);
      const user = caller.userId === null ? undefined : await findUser(database, caller.userId);
      if (!user) {
        return {
          ...presentAnonymous(settings),
          isAuthenticated: true,
          userName: caller.userName,
          roles: [...(caller.role === null ? [] : [caller.role]), ...caller.permissions],
        };
      }
      const due = caller.sessionId === null ? undefined : await sessions.dueTimes(caller.sessionId);
      return presentCurrentUser(user, due?.expiresAt, settings);
    },

    signInOptions: (): SignInOptions => ({
      enabled: settings.ssoDisplayName !== undefined,
      displayName: settings.ssoDisplayName ?? null,
      localLoginEnabled: settings.localLoginEnabled,
      breakGlassEnabled: !settings.localLoginEnabled && settings.breakGlassUserNames.length > 0,
      externalLogin: settings.externalLoginUrl === undefined ? null : { loginUrl: settings.externalLoginUrl },
    }),

    permissionsOf: (caller: Caller): Permissions => ({
      canRead: canRead(caller),
      canWrite: canWrite(caller),
      isAdmin: isAdmin(caller),
      permissions: permissions.filter((permission) => holds(caller, permission)).toSorted(),
      migrationsEnabled: settings.migrationsEnabled,
    }),
  };
}

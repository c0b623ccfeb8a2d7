import {
  createPasswordHashing,
  noteWeakPasswords,
  type PasswordHashing,
  type PasswordPolicy,
} from '../domains/passwords/index.ts';
import { createSessionsService, type SessionsService } from '../domains/sessions/index.ts';
import { type Antiforgery, createAntiforgery } from '../platform/http/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/** Shared services of sign-in and user administration. */
export type Accounts = Part & {
  readonly sessions: SessionsService;
  readonly hashing: PasswordHashing;
  readonly policy: PasswordPolicy;
  readonly antiforgery: Antiforgery;
};

/** Composes sessions, password handling, and the antiforgery protection. */
export function composeAccounts(ground: Ground): Accounts {
  const { database, clock, random, log, settings } = ground;
  const { users } = settings;
  return {
    sessions: createSessionsService({ database, clock, random, log, settings: settings.sessions }),
    hashing: createPasswordHashing({ iterations: users.passwordIterations, random }),
    policy: users.passwordPolicy,
    antiforgery: createAntiforgery({ keys: ground.keys, random }),
    start: () => {
      if (!users.hasLocalLogin) return;
      const { isEnabled, admission } = settings.singleSignOn;
      noteWeakPasswords(log, {
        iterations: users.passwordIterations,
        lengthMin: users.passwordPolicy.lengthMin,
        hasSecondFactor: isEnabled && admission.requireMfa,
      });
    },
  };
}

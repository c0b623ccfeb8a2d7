import {
  createPasswordHashing,
  noteWeakPasswords,
  type PasswordHashing,
  type PasswordPolicy,
} from '../../domains/passwords/index.ts';
import { createSessionsService, type SessionsService } from '../../domains/sessions/index.ts';
import { type Antiforgery, createAntiforgery } from '../../platform/http/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

/** Shared services of sign-in and user administration. */
export type Accounts = Module & {
  readonly sessions: SessionsService;
  readonly hashing: PasswordHashing;
  readonly policy: PasswordPolicy;
  readonly antiforgery: Antiforgery;
};

/** Composes sessions, password handling, and the antiforgery protection. */
export function composeAccounts(infra: Infrastructure): Accounts {
  const { database, clock, random, log, settings } = infra;
  const { users } = settings;
  return {
    sessions: createSessionsService({ database, clock, random, log, settings: settings.sessions }),
    hashing: createPasswordHashing({ iterations: users.passwordIterations, random }),
    policy: users.passwordPolicy,
    antiforgery: createAntiforgery({ keys: infra.keys, random }),
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

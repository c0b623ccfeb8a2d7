import type { TellResponsible } from '../../domains/notices/index.ts';
import type { OnFirstAdministrator } from '../../domains/setup/index.ts';
import { deleteExpiredTransactions } from '../../domains/single-sign-on/index.ts';
import type { SvcOptions } from '../../svc.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import { type Accounts, composeAccounts } from './accounts.ts';
import { type ApiKeysModule, composeApiKeys } from './api-keys.ts';
import { composeBearerTokens } from './bearer-tokens.ts';
import { type CallersModule, composeCallers } from './callers.ts';
import { composeSignIn } from './sign-in.ts';
import { composeSingleSignOn } from './single-sign-on.ts';
import { composeUsers } from './users.ts';

/** Authentication and user management. */
export type Identity = {
  readonly modules: readonly Module[];
  readonly sessions: Accounts['sessions'];
  readonly keys: ApiKeysModule;
  readonly callers: CallersModule;
  readonly isSetupOpen: () => Promise<boolean>;
  /** Removal of expired records, and expiry notices. */
  readonly sweeps: readonly (() => Promise<unknown>)[];
};

/** Composes setup, sign-in, sessions, keys and users. */
export function composeIdentity(
  infra: Infrastructure,
  deps: {
    readonly onFirstAdministrator: readonly OnFirstAdministrator[];
    readonly onSetupToken: SvcOptions['onSetupToken'];
    readonly mayKeyExecute: SvcOptions['mayKeyExecute'];
    readonly tellResponsible: TellResponsible;
  },
): Identity {
  const accounts = composeAccounts(infra);
  const accessTokens = composeBearerTokens(infra);
  const keys = composeApiKeys(infra, deps);
  const users = composeUsers(infra, { accounts, apiKeys: keys.apiKeys });
  const signIn = composeSignIn(infra, { ...deps, accounts, accessTokens });
  const singleSignOn = composeSingleSignOn(infra, accounts);
  const { isSetupOpen } = signIn;
  const callers = composeCallers(infra, { accounts, accessTokens, byKey: keys.byKey, isSetupOpen });
  return {
    modules: [accounts, keys, users, signIn, singleSignOn, callers],
    sessions: accounts.sessions,
    keys,
    callers,
    isSetupOpen: async () => isSetupOpen(),
    sweeps: [accounts.sessions.sweep, () => deleteExpiredTransactions(infra.database), keys.noticeExpiry],
  };
}

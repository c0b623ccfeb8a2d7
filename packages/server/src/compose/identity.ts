import type { TellResponsible } from '../domains/notices/index.ts';
import type { OnFirstAdministrator } from '../domains/setup/index.ts';
import { deleteExpiredTransactions } from '../domains/single-sign-on/index.ts';
import type { SvcOptions } from '../svc.ts';
import { type Accounts, composeAccounts } from './accounts.ts';
import { type ApiKeysPart, composeApiKeys } from './api-keys.ts';
import { composeBearerTokens } from './bearer-tokens.ts';
import { type CallersPart, composeCallers } from './callers.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { composeSignIn } from './sign-in.ts';
import { composeSingleSignOn } from './single-sign-on.ts';
import { composeUsers } from './users.ts';

/** Authentication and user management. */
export type Identity = {
  readonly parts: readonly Part[];
  readonly sessions: Accounts['sessions'];
  readonly keys: ApiKeysPart;
  readonly callers: CallersPart;
  readonly isSetupOpen: () => Promise<boolean>;
  /** Removal of expired records, and expiry notices. */
  readonly sweeps: readonly (() => Promise<unknown>)[];
};

/** Composes setup, sign-in, sessions, keys and users. */
export function composeIdentity(
  ground: Ground,
  deps: {
    readonly onFirstAdministrator: readonly OnFirstAdministrator[];
    readonly onSetupToken: SvcOptions['onSetupToken'];
    readonly mayKeyExecute: SvcOptions['mayKeyExecute'];
    readonly tellResponsible: TellResponsible;
  },
): Identity {
  const accounts = composeAccounts(ground);
  const accessTokens = composeBearerTokens(ground);
  const keys = composeApiKeys(ground, deps);
  const users = composeUsers(ground, { accounts, apiKeys: keys.apiKeys });
  const signIn = composeSignIn(ground, { ...deps, accounts, accessTokens });
  const singleSignOn = composeSingleSignOn(ground, accounts);
  const { isSetupOpen } = signIn;
  const callers = composeCallers(ground, { accounts, accessTokens, byKey: keys.byKey, isSetupOpen });
  return {
    parts: [accounts, keys, users, signIn, singleSignOn, callers],
    sessions: accounts.sessions,
    keys,
    callers,
    isSetupOpen: async () => isSetupOpen(),
    sweeps: [accounts.sessions.sweep, () => deleteExpiredTransactions(ground.database), keys.noticeExpiry],
  };
}

import type { Role, SetupRequest, User } from '@svc/contract';
import {
  equalsConstantTime,
  type Randomness,
  randomToken,
  type Secret,
} from '../../platform/crypto/index.ts';
import { type Database, databaseError, type Tx } from '../../platform/db/index.ts';
import { badRequest, brokenRule, conflict, forbidden, notPossible } from '../../platform/http/index.ts';
import { type AnswerHeaders, addressKey, type RateLimit } from '../../platform/rate-limit/index.ts';
import type { Actor, Audit } from '../audit/index.ts';
import { type PasswordHashing, type PasswordPolicy, refuseWeakPassword } from '../passwords/index.ts';
import { findUser, insertRoles, insertUser, presentUser, roles } from '../users/index.ts';
import { insertCompletion, isSetupComplete } from './store.ts';

/** Work of other domains in the transaction that creates the first administrator. */
export type OnFirstAdministrator = (tx: Tx, userId: number) => Promise<void>;

export type SetupService = {
  /**
   * Returns true while no administrator has ever existed. A closed setup never opens again, so the closed state is
   * cached.
   */
  readonly isOpen: () => Promise<boolean>;
  readonly roles: () => readonly Role[];
  /** Throws 400 once closed, 403 for a wrong token, 409 when another setup was faster, 429 when throttled. */
  readonly createSuperAdmin: (
    request: SetupRequest,
    actor: SetupActor,
    answer: AnswerHeaders,
  ) => Promise<User>;
  /** Passes the token to the host for printing, when the setup is open and no token is configured. */
  readonly announceToken: () => Promise<void>;
};
type SetupActor = Actor & { readonly clientAddress: string };

const emailShape = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

export function createSetupService(deps: {
  database: Database;
  random: Randomness;
  audit: Audit;
  hashing: PasswordHashing;
  policy: PasswordPolicy;
  limit: RateLimit;
  configuredToken: Secret | string | undefined;
  /** Called once with a token of this process, while the setup is open and no token is configured. */
  onSetupToken: (token: string) => void;
  onFirstAdministrator: readonly OnFirstAdministrator[];
}): SetupService {
  const { database, random, audit, hashing, policy, limit, configuredToken } = deps;
  const token =
    configuredToken === undefined
      ? randomToken(random)
      : typeof configuredToken === 'string'
        ? configuredToken
        : configuredToken.reveal();
  let isClosed = false;

  const isOpen = async (): Promise<boolean> => {
    if (isClosed) return false;
    isClosed = await isSetupComplete(database);
    return !isClosed;
  };

  const store = async (request: SetupRequest, passwordHash: string, actor: Actor): Promise<User> =>
    database.transaction(async (tx) => {
      const userId = await insertUser(tx, {
        userName: request.userName,
        displayName: request.displayName?.trim() || null,
        email: request.email?.trim() || null,
        kind: 'Internal',
        passwordHash,
        isSuperAdmin: true,
      });
      await insertCompletion(tx, userId);
      await insertRoles(tx, userId, ['Admin'], { source: 'Granted', byUserId: userId });
      for (const hook of deps.onFirstAdministrator) await hook(tx, userId);
      await audit.record(tx, {
        event: 'setup.completed',
        by: actor,
        subject: { kind: 'user', id: userId },
        detail: { userName: request.userName },
      });
      const user = await findUser(tx, userId);
      if (!user) throw new Error('The administrator was not stored.');
      return presentUser(user);
    });

  return {
    isOpen,
    roles: () => roles,
    createSuperAdmin: async (request, actor, answer) => {
      await limit.consume(addressKey(actor.clientAddress), answer);
      if (!(await isOpen())) throw closed();
      if (!equalsConstantTime(request.setupToken, token)) throw wrongToken();
      refuseBadInput(request, policy);
      const passwordHash = await hashing.hash(request.password);
      try {
        const user = await store(request, passwordHash, actor);
        isClosed = true;
        return user;
      } catch (error) {
        // A concurrent second setup violates the unique row of the completion, or the unique user name before it.
        if (databaseError(error)?.code !== '23505') throw error;
        throw conflict('setup-lost-race', 'Another setup finished first. Sign in with that administrator.');
      }
    },
    announceToken: async () => {
      if (configuredToken === undefined && (await isOpen())) deps.onSetupToken(token);
    },
  };
}

function refuseBadInput(request: SetupRequest, policy: PasswordPolicy): void {
  const email = request.email?.trim();
  if (email && !emailShape.test(email))
    throw badRequest('invalid-email', 'The email address is not one.', [
      { path: '/email', message: 'is not an email address' },
    ]);
  if (request.password !== request.confirmPassword)
    throw brokenRule('passwords-differ', 'The two passwords are not the same.', [
      { path: '/confirmPassword', message: 'is not the same as the password' },
    ]);
  refuseWeakPassword(policy, request.password, { userName: request.userName, member: 'password' });
}

const closed = () => notPossible('setup-closed', 'The setup is done: there is an administrator already.');
const wrongToken = () =>
  forbidden(
    'wrong-setup-token',
    'The setup token is wrong. It is configured, or printed when the service starts.',
  );

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { badCredential, type Refusal } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { findUserByIdentity, noteSignIn, rightsOf, type StoredUser, updateNames } from '../users/index.ts';
import { BadToken, type VerifiedToken, type VerifyToken } from './verify.ts';

const scheme = /^bearer +/i;
/** Minimum interval between updates of a user's last sign-in: each request carries a token. */
const noteIntervalMs = 60_000;
const notedMax = 10_000;

export type BearerTokens = {
  /** Returns the caller of a REST request with a bearer token. */
  readonly authenticate: (request: FastifyRequest) => Promise<Caller | undefined>;
  /** Returns the enabled user of a token. Throws a 401 refusal if there is none. */
  readonly userOf: (token: string) => Promise<StoredUser>;
  /** Verifies a token without mapping it to a user, for callers with other mapping rules. */
  readonly verify: VerifyToken;
  /** Records a sign-in of the user of a verified token, if the user exists. */
  readonly noteUse: (token: VerifiedToken) => Promise<void>;
};

/** Returns the token of the Authorization header. Undefined if there is none. */
export function bearerTokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  return header === undefined || !scheme.test(header) ? undefined : header.replace(scheme, '').trim();
}

export const invalidToken = (): Refusal =>
  badCredential('invalid-token', 'The access token is not valid here.');

export function createBearerTokens(deps: {
  database: Database;
  clock: Clock;
  log: Logger;
  verify: VerifyToken;
}): BearerTokens {
  const { database, clock, log } = deps;
  const notedAt = new Map<number, number>();

  /** Records the sign-in, and the current names from the provider. */
  const note = (user: StoredUser, token: VerifiedToken): void => {
    const userId = user.id;
    const now = performance.now();
    if (now - (notedAt.get(userId) ?? Number.NEGATIVE_INFINITY) < noteIntervalMs) return;
    if (notedAt.size >= notedMax) notedAt.clear();
    notedAt.set(userId, now);
    const names = {
      displayName: token.displayName ?? user.displayName,
      email: token.email ?? user.email,
    };
    Promise.all([
      noteSignIn(database, userId, statementTime(clock)),
      updateNames(database, userId, names),
    ]).catch((error: unknown) =>
      log.warn({ err: error, userId }, 'the last sign-in of a user could not be noted'),
    );
  };
  const verify: VerifyToken = async (token) => {
    try {
      return await deps.verify(token);
    } catch (error) {
      if (!(error instanceof BadToken)) throw error;
      log.warn({ reason: error.message }, 'an access token was refused');
      throw invalidToken();
    }
  };
  const userOf = async (token: string): Promise<StoredUser> => {
    const verified = await verify(token);
    const { issuer, subject } = verified;
    const user = await findUserByIdentity(database, { issuer, subject });
    if (!user?.isEnabled || user.archivedAt !== null) {
      log.warn(
        { reason: user ? 'user disabled or archived' : 'unknown user', userId: user?.id },
        'an access token was refused',
      );
      throw invalidToken();
    }
    note(user, verified);
    return user;
  };

  return {
    verify,
    userOf,
    noteUse: async (token) => {
      const { issuer, subject } = token;
      const user = await findUserByIdentity(database, { issuer, subject });
      if (user?.isEnabled && user.archivedAt === null) note(user, token);
    },
    authenticate: async (request) => {
      const token = bearerTokenOf(request);
      return token === undefined ? undefined : toCaller(await userOf(token));
    },
  };
}

/** Returns the caller of a user, with the stored roles. Roles in the token are ignored. */
const toCaller = (user: StoredUser): Caller => ({
  kind: 'bearer',
  userId: user.id,
  userName: user.userName,
  ...rightsOf(user.roles, user.isSuperAdmin),
  scopes: null,
  allowedProjectIds: null,
  apiKeyId: null,
  sessionId: null,
  mustChangePassword: false,
});

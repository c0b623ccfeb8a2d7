import type { Queryable, RunStatement, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

export const authMethods = ['Password', 'BreakGlass', 'Oidc', 'ExternalLogin'] as const;
export type AuthMethod = (typeof authMethods)[number];

/** Security stamp of suspended sessions. No user ever has it. */
const suspendedStamp = '00000000-0000-0000-0000-000000000000';

/** Live session with the current state of its user. */
export type FoundSession = {
  readonly id: number;
  readonly userId: number;
  readonly checkedAt: Date;
  /** True when the stamp of the session is still the user's stamp. */
  readonly hasCurrentStamp: boolean;
  /** True when the user was disabled during the session. No later change of the user reverts it. */
  readonly isSuspended: boolean;
  readonly userName: string;
  readonly isUserActive: boolean;
  readonly isSuperAdmin: boolean;
  readonly mustChangePassword: boolean;
  readonly roles: readonly string[];
  /** Time that the expiry was compared with. */
  readonly at: Date;
};

/** Finds the session, its user and the user's roles in one statement per request. */
export async function findLiveSession(
  run: RunStatement,
  tokenHash: Buffer,
  at: Date | null,
): Promise<FoundSession | undefined> {
  // One row per role: a join is faster than an aggregate.
  const { rows } = await run<Omit<FoundSession, 'roles'> & { role: string | null }>({
    name: 'sessions-find-live',
    text: `select s.id, s.user_id as "userId", s.checked_at as "checkedAt",
        s.security_stamp = u.security_stamp as "hasCurrentStamp",
        s.security_stamp = '${suspendedStamp}' as "isSuspended",
        u.user_name as "userName", u.is_enabled and u.archived_at is null as "isUserActive",
        u.is_super_admin as "isSuperAdmin", u.must_change_password as "mustChangePassword",
        r.role, coalesce($2::timestamptz, now()) as at
      from svc.sessions s join svc.users u on u.id = s.user_id
      left join svc.user_roles r on r.user_id = u.id
     where s.token_hash = $1 and s.ended_at is null and s.expires_at > coalesce($2::timestamptz, now())`,
    values: [tokenHash, at],
  });
  const [session] = rows;
  return session && { ...session, roles: rows.flatMap(({ role }) => role ?? []) };
}

export type NewSession = {
  readonly tokenHash: Buffer;
  readonly userId: number;
  readonly securityStamp: string;
  readonly authMethod: AuthMethod;
  readonly issuer: string | null;
  readonly providerSession: string | null;
  readonly isPersistent: boolean;
  readonly lifetimeHours: number;
  readonly userAgent: string | null;
  readonly clientAddress: string;
  readonly at: Date | null;
  /** Time of the sign-in, for a session that replaces another; null: now. */
  readonly signedInAt: Date | null;
};

export async function insertSession(tx: Tx, session: NewSession): Promise<{ id: number; expiresAt: Date }> {
  const { rows } = await tx.query<{ id: number; expiresAt: Date }>(
    `insert into svc.sessions (token_hash, user_id, security_stamp, auth_method, identity_provider_issuer,
       identity_provider_session, is_persistent, user_agent, client_address,
       signed_in_at, checked_at, last_seen_at, expires_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, signed_in_at, at, at, signed_in_at + make_interval(hours => $11)
       from (select coalesce($10::timestamptz, now()) as at,
                    coalesce($12::timestamptz, $10::timestamptz, now()) as signed_in_at) clock
     returning id, expires_at as "expiresAt"`,
    [
      session.tokenHash,
      session.userId,
      session.securityStamp,
      session.authMethod,
      session.issuer,
      session.providerSession,
      session.isPersistent,
      session.userAgent,
      session.clientAddress,
      session.at,
      session.lifetimeHours,
      session.signedInAt,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('The session was not stored.');
  return row;
}

/** Session as its user sees it. */
export type StoredSession = {
  readonly id: number;
  readonly userId: number;
  readonly authMethod: AuthMethod;
  readonly isPersistent: boolean;
  readonly signedInAt: Date;
  readonly lastSeenAt: Date;
  readonly checkedAt: Date;
  readonly expiresAt: Date;
  readonly userAgent: string | null;
  readonly clientAddress: string | null;
};

const shown = `id, user_id as "userId", auth_method as "authMethod", is_persistent as "isPersistent",
  signed_in_at as "signedInAt", last_seen_at as "lastSeenAt", checked_at as "checkedAt",
  expires_at as "expiresAt", user_agent as "userAgent", client_address as "clientAddress"`;

/** Finds a live session. */
export async function findSessionById(
  executor: Queryable,
  id: number,
  at: Date | null,
): Promise<StoredSession | undefined> {
  const { rows } = await executor.query<StoredSession>(
    `select ${shown} from svc.sessions where id = $1 and ended_at is null and expires_at > coalesce($2, now())`,
    [id, at],
  );
  return rows[0];
}

/** Returns a page of a user's live sessions, and their total number. */
export async function listLiveSessions(
  executor: Queryable,
  filter: { userId: number; at: Date | null },
  page: PageRequest,
): Promise<{ rows: StoredSession[]; totalCount: number }> {
  const where = 'where user_id = $1 and ended_at is null and expires_at > coalesce($2, now())';
  const { rows } = await executor.query<StoredSession>(
    `select ${shown} from svc.sessions ${where} order by ${orderBy(page)} limit $3 offset $4`,
    [filter.userId, filter.at, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*) as count from svc.sessions ${where}`,
    [filter.userId, filter.at],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Records that a session was checked against its user. */
export const noteChecked = async (executor: Queryable, id: number, at: Date): Promise<void> => {
  await executor.query({
    name: 'sessions-note-checked',
    text: 'update svc.sessions set checked_at = $2, last_seen_at = $2 where id = $1 and ended_at is null',
    values: [id, at],
  });
};

export type EndReason =
  | 'SignedOut'
  | 'SignedOutEverywhere'
  | 'UserChanged'
  | 'PasswordChanged'
  | 'Replaced'
  | 'IdentityProvider'
  | 'EndedByAdministrator';

export type EndedSession = { readonly id: number; readonly userId: number };

const ended = 'returning id, user_id as "userId"';

export async function endSession(
  executor: Queryable,
  id: number,
  end: { reason: EndReason; at: Date | null },
): Promise<readonly EndedSession[]> {
  const { rows } = await executor.query<EndedSession>(
    `update svc.sessions set ended_at = coalesce($2, now()), end_reason = $3 where id = $1 and ended_at is null ${ended}`,
    [id, end.at, end.reason],
  );
  return rows;
}

export async function endSessionsOfUser(
  executor: Queryable,
  userId: number,
  end: { reason: EndReason; at: Date | null },
): Promise<readonly EndedSession[]> {
  const { rows } = await executor.query<EndedSession>(
    `update svc.sessions set ended_at = coalesce($2, now()), end_reason = $3
      where user_id = $1 and ended_at is null ${ended}`,
    [userId, end.at, end.reason],
  );
  return rows;
}

/** Ends the sessions that an identity provider identifies by this id. `issuer` not null: only of this issuer. */
export async function endSessionsOfProvider(
  executor: Queryable,
  provider: { session: string; issuer: string | null },
  at: Date | null,
): Promise<readonly EndedSession[]> {
  const { rows } = await executor.query<EndedSession>(
    `update svc.sessions set ended_at = coalesce($3, now()), end_reason = 'IdentityProvider'
      where identity_provider_session = $1 and ($2::text is null or identity_provider_issuer = $2) and ended_at is null ${ended}`,
    [provider.session, provider.issuer, at],
  );
  return rows;
}

/** Suspends the live sessions of a user permanently. Each session still ends at its next check. */
export const suspendSessionsOfUser = async (executor: Queryable, userId: number): Promise<void> => {
  await executor.query(
    `update svc.sessions set security_stamp = '${suspendedStamp}' where user_id = $1 and ended_at is null`,
    [userId],
  );
};

/** Deletes sessions that expired before this time. */
export async function deleteSessionsBefore(executor: Queryable, before: Date): Promise<void> {
  await executor.query('delete from svc.sessions where expires_at < $1', [before]);
}

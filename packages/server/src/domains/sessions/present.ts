import type { Page, Session } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { type PageRequest, pageOf } from '../../platform/http/index.ts';
import type { StoredSession } from './store.ts';

/** Sort settings of session lists. */
export const sessionList = {
  sortable: { signedInAt: 'signed_in_at', lastSeenAt: 'last_seen_at', expiresAt: 'expires_at' },
  byDefault: '-signedInAt',
  unique: 'id',
};

/** Presents a page of sessions and marks the session of the request. */
export const presentSessions = (
  { rows, totalCount }: { readonly rows: readonly StoredSession[]; readonly totalCount: number },
  page: PageRequest,
  caller: Caller,
): Page<Session> =>
  pageOf(
    rows.map((session) => presentSession(session, caller.sessionId)),
    totalCount,
    page,
  );

const presentSession = (session: StoredSession, currentId: number | null): Session => ({
  id: session.id,
  isCurrent: session.id === currentId,
  authMethod: session.authMethod,
  signedInAt: session.signedInAt.toISOString(),
  lastSeenAt: session.lastSeenAt.toISOString(),
  expiresAt: session.expiresAt.toISOString(),
  userAgent: session.userAgent,
  clientAddress: session.clientAddress,
});

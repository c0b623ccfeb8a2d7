import type { ListQuery, Page, Session } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { findUser } from '../users/index.ts';
import { presentSessions, sessionList } from './present.ts';
import type { SessionsService } from './service.ts';

export type SessionAdministration = ReturnType<typeof createSessionAdministration>;

/** Creates the administration of other users' sessions, for user administrators. */
export function createSessionAdministration(deps: {
  readonly database: Database;
  readonly audit: Audit;
  readonly sessions: Pick<SessionsService, 'listOf' | 'describe' | 'end'>;
}) {
  const { database, audit, sessions } = deps;
  return {
    /** Lists the live sessions of a user. @throws Refusal 404 when the user does not exist. */
    list: async (caller: Caller, userId: number, query: ListQuery): Promise<Page<Session>> => {
      if (!(await findUser(database, userId))) throw notFound();
      const page = pageRequest(query, sessionList);
      return presentSessions(await sessions.listOf(userId, page), page, caller);
    },

    /** Ends a live session. @throws Refusal 404 when the session is over or belongs to another user. */
    end: (userId: number, sessionId: number, by: CallerActor): Promise<void> =>
      database.transaction(async (tx) => {
        const session = await sessions.describe(tx, sessionId);
        if (session?.userId !== userId) throw notFound();
        await sessions.end(tx, sessionId, 'EndedByAdministrator');
        await audit.record(tx, {
          event: 'auth.session_ended',
          by,
          subject: { kind: 'session', id: sessionId },
          detail: { userId },
        });
      }),
  };
}

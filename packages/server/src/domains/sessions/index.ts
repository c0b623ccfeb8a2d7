export { createSessionAdministration } from './administration.ts';
export { clearSessionCookie, readSessionCookie, setSessionCookie } from './cookie.ts';
export { presentSessions, sessionList } from './present.ts';
export { userSessionRoutes } from './routes.ts';
export {
  type BegunSession,
  createSessionsService,
  type SessionStart,
  type SessionsService,
} from './service.ts';
export type { AuthMethod, EndedSession, EndReason, StoredSession } from './store.ts';

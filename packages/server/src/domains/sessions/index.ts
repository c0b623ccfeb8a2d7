export { clearSessionCookie, readSessionCookie, setSessionCookie } from './cookie.ts';
export {
  type BegunSession,
  createSessionsService,
  type SessionStart,
  type SessionsService,
} from './service.ts';
export type { AuthMethod, EndedSession, EndReason, StoredSession } from './store.ts';

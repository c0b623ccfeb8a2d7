import { endUserSession, listUserSessions } from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { SessionAdministration } from './administration.ts';

export const userSessionRoutes = (service: SessionAdministration): Route[] => [
  route(listUserSessions, ({ caller, params, query }) => service.list(caller, params.id, query)),
  route(endUserSession, async (context) => {
    await service.end(context.params.id, context.params.sessionId, context);
    return undefined;
  }),
];

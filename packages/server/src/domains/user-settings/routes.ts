import { changePassword, endSession, getUserSettings, listSessions, updateUserSettings } from '@svc/contract';
import { type Antiforgery, type Route, route } from '../../platform/http/index.ts';
import { setSessionCookie } from '../sessions/index.ts';
import type { UserSettingsService } from './service.ts';

export const userSettingsRoutes = (service: UserSettingsService, antiforgery: Antiforgery): Route[] => [
  route(getUserSettings, ({ caller }) => service.get(caller)),
  route(updateUserSettings, (context) => service.update(context.body, context)),
  route(changePassword, async (context) => {
    const { request, reply } = context;
    const userAgent = request.headers['user-agent'];
    const session = await service.changePassword(context.body, context, userAgent, reply);
    if (session) {
      setSessionCookie(request, reply, session);
      antiforgery.rotate(request, reply);
    }
    return undefined;
  }),
  route(listSessions, ({ caller, query }) => service.listSessions(caller, query)),
  route(endSession, async (context) => {
    await service.endSession(context.params.id, context);
    return undefined;
  }),
];

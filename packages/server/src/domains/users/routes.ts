import {
  archiveUser,
  createExternalUser,
  createInternalUser,
  getUser,
  listRoles,
  listUsers,
  setUserRoles,
  signUserOutEverywhere,
  toggleUserEnabled,
  updateUser,
} from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { UsersService } from './service.ts';

export const userRoutes = (service: UsersService): Route[] => [
  route(listUsers, ({ query }) => service.list(query)),
  route(listRoles, async ({ query }) => service.listRoles(query)),
  route(getUser, ({ params }) => service.get(params.id)),
  route(createInternalUser, (context) => service.createInternal(context.body, context)),
  route(createExternalUser, (context) => service.createExternal(context.body, context)),
  route(updateUser, (context) => service.update(context.params.id, context.body, context)),
  route(setUserRoles, (context) => service.setRoles(context.params.id, context.body.roles, context)),
  route(toggleUserEnabled, (context) => service.toggleEnabled(context.params.id, context)),
  route(archiveUser, async (context) => {
    await service.archive(context.params.id, context);
    return undefined;
  }),
  route(signUserOutEverywhere, async (context) => {
    await service.signOutEverywhere(context.params.id, context);
    return undefined;
  }),
];

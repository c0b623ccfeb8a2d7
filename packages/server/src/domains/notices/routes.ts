import * as contract from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { NoticesService } from './service.ts';

export const noticeRoutes = (service: NoticesService): Route[] => [
  route(contract.listNotices, async ({ caller, query }) => service.list(caller, query)),
  route(contract.readNotice, async ({ caller, params }) => {
    await service.read(caller, params.id);
    return undefined;
  }),
  route(contract.readAllNotices, async ({ caller }) => {
    await service.readAll(caller);
    return undefined;
  }),
];

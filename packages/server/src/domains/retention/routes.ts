import { getRetention } from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { RetentionService } from './service.ts';

export const retentionRoutes = (service: RetentionService): Route[] => [
  route(getRetention, () => service.list()),
];

import { getHealth } from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { HealthService } from './service.ts';

export const healthRoutes = (service: HealthService): Route[] => [
  route(getHealth, async () => {
    await service.check();
    return { status: 'ok' as const };
  }),
];

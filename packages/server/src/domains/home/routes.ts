import * as contract from '@svc/contract';
import { type Route, readRoute, route } from '../../platform/http/index.ts';
import type { HomeService } from './service.ts';

export const homeRoutes = (home: HomeService): Route[] => [
  route(contract.getHomeTrends, async ({ caller, query }) => home.trends(caller, query.days)),
  readRoute(contract.getHomeActivity, async ({ caller, query }) => home.activity(caller, query)),
  readRoute(contract.listFiring, async ({ caller, query }) => home.firing(caller, query)),
  route(contract.getHomeKpis, async ({ caller }) => home.kpis(caller)),
  route(contract.getFirstSteps, async ({ caller }) => home.firstSteps(caller)),
  route(contract.getMigrationSummary, async () => home.migrations()),
  route(contract.getHomeTaskSummary, async ({ caller }) => home.taskSummary(caller)),
  route(contract.getHomeUptime, async ({ caller, query }) => home.uptime(caller, query.hours)),
];

import * as contract from '@svc/contract';
import { type Route, readRoute, route } from '../../platform/http/index.ts';
import type { TowerService } from './service.ts';

export const towerRoutes = (tower: TowerService): Route[] => [
  route(contract.getTowerStatistics, ({ caller, query }) => tower.statistics(caller, query)),
  route(contract.getScheduleLoad, ({ caller, query }) => tower.scheduleLoad(caller, query)),
  readRoute(contract.listTowerHealth, async ({ caller, query }) => tower.list(caller, query)),
  route(contract.getTowerContract, ({ caller, params, query }) =>
    tower.contract(caller, params.id, query.timeRangeDays),
  ),
  route(contract.getTowerSubscription, ({ caller, params, query }) =>
    tower.subscription(caller, params.id, query.timeRangeDays),
  ),
];

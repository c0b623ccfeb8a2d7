import { listOwnRuns } from '@svc/contract';
import { type Route, readRoute } from '../../platform/http/index.ts';
import type { OwnRunsService } from './service.ts';

export const ownRunRoutes = (runs: OwnRunsService): Route[] => [
  readRoute(listOwnRuns, ({ caller, query }) => runs.list(caller, query)),
];

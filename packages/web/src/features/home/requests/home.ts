import {
  getFirstSteps,
  getHomeActivity,
  getHomeKpis,
  getHomeTrends,
  getHomeUptime,
  getMigrationSummary,
  type QueryOf,
} from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

export const homeTrends = (query: QueryOf<typeof getHomeTrends>) => read(getHomeTrends, { query });
export const homeActivity = (query: QueryOf<typeof getHomeActivity>) => read(getHomeActivity, { query });
export const homeUptime = (query: QueryOf<typeof getHomeUptime>) => read(getHomeUptime, { query });
export const homeKpis = read(getHomeKpis, {});
/** Always stale, so that the steps reload when the user returns from one. */
export const firstSteps = { ...read(getFirstSteps, {}), staleTime: 0 };
export const migrationSummary = read(getMigrationSummary, {});

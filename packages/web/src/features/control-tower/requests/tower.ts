import { getScheduleLoad, getTowerStatistics, listTowerHealth, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

export type TowerFilter = QueryOf<typeof getTowerStatistics>;

/** Counts of healthy subscriptions and statistics of their runs. */
export const towerStatistics = (query: TowerFilter) => read(getTowerStatistics, { query });

/** One page of watched subscriptions and data contracts, worst first. */
export const towerHealth = (query: QueryOf<typeof listTowerHealth>) => read(listTowerHealth, { query });

/** Number of runs that the schedules cause in the next 24 hours. */
export const scheduleLoad = (query: QueryOf<typeof getScheduleLoad>) => read(getScheduleLoad, { query });

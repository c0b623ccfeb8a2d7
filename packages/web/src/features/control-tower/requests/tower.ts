import { getScheduleLoad, getTowerStatistics, listTowerHealth, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

export type TowerFilter = QueryOf<typeof getTowerStatistics>;

/** How many subscriptions are well, and how their runs went. */
export const towerStatistics = (query: TowerFilter) => read(getTowerStatistics, { query });

/** One page of what is watched, worst first. */
export const towerHealth = (query: QueryOf<typeof listTowerHealth>) => read(listTowerHealth, { query });

/** What the schedules make due in the next 24 hours. */
export const scheduleLoad = (query: QueryOf<typeof getScheduleLoad>) => read(getScheduleLoad, { query });

import type {
  Activity,
  FiringItem,
  FirstSteps,
  HomeKpis,
  HomeTrends,
  HomeUptime,
  ListQuery,
  MigrationSummary,
  Page,
  TaskSummary,
} from '@svc/contract';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Workers } from '../control-tower/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import type { HistoryService } from '../run-history/index.ts';
import { activitySortable, readActivity } from './activity-store.ts';
import { readCounts } from './counts-store.ts';
import { firingSortable, readFiring } from './firing-store.ts';
import { readFirstSteps } from './first-steps-store.ts';
import { presentActivity, presentKpis, presentTaskSummary, presentTrends, presentUptime } from './present.ts';
import { presentFiring } from './present-firing.ts';
import { readDays, readHours, readMigrations, readSpans, readTaskCounts } from './store.ts';

const defaultDays = 30;
const defaultHours = 24;
const noMigrations: MigrationSummary = { jobs: 0, running: 0, completed24h: 0, failed24h: 0 };

export type HomeService = ReturnType<typeof createHomeService>;

/**
 * Creates the service for the figures of the home page. They include visible runs and readable projects of the caller.
 */
export function createHomeService(deps: {
  readonly database: Database;
  readonly rights: Pick<ProjectRights, 'readableIds'>;
  readonly visibleRuns: HistoryService['visibleTo'];
  readonly countRuns: HistoryService['count'];
  readonly workers: () => Promise<Workers>;
  /** When false, the figures of migrations are empty. */
  readonly areMigrationsEnabled: boolean;
}) {
  const { database, rights, visibleRuns } = deps;
  const seenBy = async (caller: Caller) => ({
    runs: await visibleRuns(caller),
    projectIds: await rights.readableIds(database, caller),
  });
  return {
    /** Returns the record counts that the caller can read, and whether a worker is running. */
    kpis: async (caller: Caller): Promise<HomeKpis> => {
      const projectIds = await rights.readableIds(database, caller);
      const [counts, runs, workers] = await Promise.all([
        readCounts(database, { projectIds, seesAllSources: holds(caller, 'DataSourceAdmin') }),
        deps.countRuns(caller),
        deps.workers(),
      ]);
      return presentKpis(counts, runs, workers);
    },

    /** Returns the completed steps to a first alert, from records that the caller can read. */
    firstSteps: async (caller: Caller): Promise<FirstSteps> => {
      const { runs, projectIds } = await seenBy(caller);
      const seesAllSources = holds(caller, 'DataSourceAdmin');
      return readFirstSteps(database, { visibleRuns: runs, projectIds, seesAllSources });
    },

    /** Returns runs of the last `days` days (UTC, including today), day by day. */
    trends: async (caller: Caller, days = defaultDays): Promise<HomeTrends> => {
      const { runs } = await seenBy(caller);
      return presentTrends(
        ...(await Promise.all([readDays(database, runs, days), readSpans(database, runs, days)])),
      );
    },

    /** Returns the activity of the last 30 days, newest first by default. */
    activity: async (caller: Caller, query: ListQuery): Promise<Page<Activity>> => {
      const page = pageRequest(query, { sortable: activitySortable, byDefault: '-time', unique: 'kind' });
      const { rows, total } = await readActivity(database, await seenBy(caller), page);
      return pageOf(rows.map(presentActivity), total, page);
    },

    /** Returns current problems: firing alerts, failing contracts, and subscriptions whose last run failed. */
    firing: async (caller: Caller, query: ListQuery): Promise<Page<FiringItem>> => {
      const page = pageRequest(query, { sortable: firingSortable, byDefault: '-since', unique: 'kind' });
      const { rows, total } = await readFiring(database, await seenBy(caller), page);
      return pageOf(rows.map(presentFiring), total, page);
    },

    /** Returns figures of data migration. They are equal for all callers, because migrations belong to no project. */
    migrations: async (): Promise<MigrationSummary> =>
      deps.areMigrationsEnabled ? readMigrations(database) : noMigrations,

    /** Returns the number of open tasks, and of the caller's tasks. */
    taskSummary: async (caller: Caller): Promise<TaskSummary> => {
      const projectIds = await rights.readableIds(database, caller);
      return presentTaskSummary(await readTaskCounts(database, projectIds, caller.userId));
    },

    /** Returns the success of scheduled runs in the last `hours` hours, including the current hour. */
    uptime: async (caller: Caller, hours = defaultHours): Promise<HomeUptime> =>
      presentUptime(await readHours(database, await seenBy(caller), hours)),
  };
}

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

/** What the home page tells: figures of the runs that the caller may see, and of the projects that it can read. */
export function createHomeService(deps: {
  readonly database: Database;
  readonly rights: Pick<ProjectRights, 'readableIds'>;
  readonly visibleRuns: HistoryService['visibleTo'];
  readonly countRuns: HistoryService['count'];
  readonly workers: () => Promise<Workers>;
  /** While it is off, nothing is told of it. */
  readonly areMigrationsEnabled: boolean;
}) {
  const { database, rights, visibleRuns } = deps;
  const seenBy = async (caller: Caller) => ({
    runs: await visibleRuns(caller),
    projectIds: await rights.readableIds(database, caller),
  });
  return {
    /** How much there is of what the caller can read, and whether anybody runs jobs. */
    kpis: async (caller: Caller): Promise<HomeKpis> => {
      const projectIds = await rights.readableIds(database, caller);
      const [counts, runs, workers] = await Promise.all([
        readCounts(database, { projectIds, seesAllSources: holds(caller, 'DataSourceAdmin') }),
        deps.countRuns(caller),
        deps.workers(),
      ]);
      return presentKpis(counts, runs, workers);
    },

    /** Which steps to a first alert are done, of what the caller can read. */
    firstSteps: async (caller: Caller): Promise<FirstSteps> => {
      const { runs, projectIds } = await seenBy(caller);
      const seesAllSources = holds(caller, 'DataSourceAdmin');
      return readFirstSteps(database, { visibleRuns: runs, projectIds, seesAllSources });
    },

    /** Runs of the last `days` days (UTC, today included), day by day. */
    trends: async (caller: Caller, days = defaultDays): Promise<HomeTrends> => {
      const { runs } = await seenBy(caller);
      return presentTrends(
        ...(await Promise.all([readDays(database, runs, days), readSpans(database, runs, days)])),
      );
    },

    /** What happened within 30 days, newest first unless told otherwise. */
    activity: async (caller: Caller, query: ListQuery): Promise<Page<Activity>> => {
      const page = pageRequest(query, { sortable: activitySortable, byDefault: '-time', unique: 'kind' });
      const { rows, total } = await readActivity(database, await seenBy(caller), page);
      return pageOf(rows.map(presentActivity), total, page);
    },

    /** Problems that exist now: firing alerts, failing contracts, and subscriptions whose last run failed. */
    firing: async (caller: Caller, query: ListQuery): Promise<Page<FiringItem>> => {
      const page = pageRequest(query, { sortable: firingSortable, byDefault: '-since', unique: 'kind' });
      const { rows, total } = await readFiring(database, await seenBy(caller), page);
      return pageOf(rows.map(presentFiring), total, page);
    },

    /** Figures of the copies between data sources, whoever asks: they belong to no project. */
    migrations: async (): Promise<MigrationSummary> =>
      deps.areMigrationsEnabled ? readMigrations(database) : noMigrations,

    /** How many tasks wait, and how many of them for the caller. */
    taskSummary: async (caller: Caller): Promise<TaskSummary> => {
      const projectIds = await rights.readableIds(database, caller);
      return presentTaskSummary(await readTaskCounts(database, projectIds, caller.userId));
    },

    /** Whether the scheduled runs of the last `hours` hours, the present one included, ended well. */
    uptime: async (caller: Caller, hours = defaultHours): Promise<HomeUptime> =>
      presentUptime(await readHours(database, await seenBy(caller), hours)),
  };
}

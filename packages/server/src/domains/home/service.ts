import type { Activity, HomeTrends, HomeUptime } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import type { HistoryService } from '../runs/index.ts';
import { presentActivity, presentTrends, presentUptime } from './present.ts';
import { readActivity, readDays, readHours, readSpans } from './store.ts';

const defaultDays = 30;
const defaultEntries = 10;
const defaultHours = 24;

export type HomeService = ReturnType<typeof createHomeService>;

/** What the home page tells: figures of the runs that the caller may see, and of the projects that it can read. */
export function createHomeService(deps: {
  readonly database: Database;
  readonly rights: Pick<ProjectRights, 'readableIds'>;
  readonly visibleRuns: HistoryService['visibleTo'];
}) {
  const { database, rights, visibleRuns } = deps;
  const seenBy = async (caller: Caller) => ({
    runs: await visibleRuns(caller),
    projectIds: await rights.readableIds(database, caller),
  });
  return {
    /** Runs of the last `days` days (UTC, today included), day by day. */
    trends: async (caller: Caller, days = defaultDays): Promise<HomeTrends> => {
      const { runs } = await seenBy(caller);
      return presentTrends(await readDays(database, runs, days), await readSpans(database, runs, days));
    },

    /** The last `limit` things that happened within 30 days. */
    activity: async (caller: Caller, limit = defaultEntries): Promise<{ items: Activity[] }> => ({
      items: (await readActivity(database, await seenBy(caller), limit)).map(presentActivity),
    }),

    /** Whether the scheduled runs of the last `hours` hours, the present one included, ended well. */
    uptime: async (caller: Caller, hours = defaultHours): Promise<HomeUptime> =>
      presentUptime(await readHours(database, await seenBy(caller), hours)),
  };
}

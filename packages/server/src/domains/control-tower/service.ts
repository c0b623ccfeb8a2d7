import { setImmediate } from 'node:timers/promises';
import type {
  ContractEvaluation,
  ListQuery,
  Page,
  ScheduleLoad,
  TowerContractDetail,
  TowerDetail,
  TowerHealthEntry,
  TowerKind,
  TowerRange,
  TowerStatistics,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { type HistoryService, seesEveryRun } from '../run-history/index.ts';
import { readContractDays } from './contracts.ts';
import { createDueSlots } from './due-slots.ts';
import { presentContractDetail, presentDetail, presentEntry, presentStatistics } from './present.ts';
import { scheduleLoadOf } from './schedule-load.ts';
import { readSchedules, type ScheduleFilter } from './schedule-store.ts';
import type { Judging, RetainedDays, Seen } from './span.ts';
import { listEntries, readDaysOf, readStatistics, sortable, type TowerFilter } from './store.ts';
import type { Workers } from './workers.ts';

type TowerQuery = Omit<TowerFilter, 'id'> & { readonly timeRangeDays?: TowerRange | undefined };

export type TowerService = ReturnType<typeof createTowerService>;

const defaultDays: TowerRange = 7;
const lastRuns = '20';

/**
 * Creates the control tower: the health of subjects in the projects that the caller can read, from the runs that the
 * caller may see. Stalled subjects are detected at the time of reading, so that they are also reported without any live
 * worker.
 */
export function createTowerService(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly rights: Pick<ProjectRights, 'readableIds'>;
  readonly history: Pick<HistoryService, 'list' | 'visibleTo'>;
  /** Returns evaluations of a contract that the caller can read, newest first. */
  readonly evaluations: (
    caller: Caller,
    contractId: number,
    query: ListQuery,
  ) => Promise<Page<ContractEvaluation>>;
  readonly workers: () => Promise<Workers>;
  /** `Svc:Subscriptions:MissedRunGraceSeconds`. */
  readonly graceSeconds: number;
  readonly retainedDays: RetainedDays;
}) {
  const { database, rights, history, graceSeconds, retainedDays, workers } = deps;
  const readDueSlots = createDueSlots({ graceSeconds });
  const seenBy = async (caller: Caller) => ({
    runs: await history.visibleTo(caller),
    isEveryRun: seesEveryRun(caller),
    projectIds: await rights.readableIds(database, caller),
  });
  const judgingOf = async (days: TowerRange = defaultDays): Promise<Judging> => {
    const slots = await readDueSlots(database);
    return { days, graceSeconds, slots, retainedDays };
  };
  const findEntry = async (seen: Seen, judging: Judging, filter: { kind: TowerKind; id: number }) => {
    const page = pageRequest({}, { sortable, byDefault: 'id', unique: 'h.id' });
    const [entry] = (await listEntries(database, { seen, judging, filter }, page)).rows;
    if (!entry) throw notFound();
    return entry;
  };

  return {
    /** Returns the number of subjects per health. */
    statistics: async (
      caller: Caller,
      { timeRangeDays, ...filter }: TowerQuery,
    ): Promise<TowerStatistics> => {
      const seen = await seenBy(caller);
      const judging = await judgingOf(timeRangeDays);
      return presentStatistics(await readStatistics(database, seen, judging, filter), await workers());
    },

    /** Returns the due runs of the next 24 hours. */
    scheduleLoad: async (caller: Caller, filter: ScheduleFilter): Promise<ScheduleLoad> => {
      const projectIds = await rights.readableIds(database, caller);
      const schedules = await readSchedules(database, projectIds, filter);
      return scheduleLoadOf(schedules, deps.clock.now(), setImmediate);
    },

    /** Returns the grid. Default order: worst first. */
    list: async (caller: Caller, query: ListQuery & TowerQuery): Promise<Page<TowerHealthEntry>> => {
      const page = pageRequest(query, { sortable, byDefault: 'health,name', unique: '(h.id, h.kind)' });
      const judging = await judgingOf(query.timeRangeDays);
      const asked = { seen: await seenBy(caller), judging, filter: query };
      const { rows, totalCount } = await listEntries(database, asked, page);
      return pageOf(rows.map(presentEntry), totalCount, page);
    },

    /** Returns one data contract, with the notifications that the caller may see. */
    contract: async (
      caller: Caller,
      id: number,
      timeRangeDays?: TowerRange,
    ): Promise<TowerContractDetail> => {
      const judging = await judgingOf(timeRangeDays);
      const entry = await findEntry(await seenBy(caller), judging, { kind: 'Contract', id });
      const last = { pageSize: lastRuns };
      const [days, evaluations, runs] = await Promise.all([
        readContractDays(database, id, judging.days),
        deps.evaluations(caller, id, last),
        history.list(caller, { ...last, contractId: id }),
      ]);
      return presentContractDetail(entry, { days, evaluations: evaluations.items, runs: runs.items });
    },

    /** Returns one subscription, with the runs that the caller may see (DL-5.7-08). */
    subscription: async (caller: Caller, id: number, timeRangeDays?: TowerRange): Promise<TowerDetail> => {
      const seen = await seenBy(caller);
      const judging = await judgingOf(timeRangeDays);
      const entry = await findEntry(seen, judging, { kind: 'Subscription', id });
      const days = await readDaysOf(database, seen, id, judging.days);
      const runs = await history.list(caller, { subscriptionId: id, pageSize: lastRuns });
      return presentDetail(entry, days, runs.items);
    },
  };
}

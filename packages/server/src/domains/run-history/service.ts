import type {
  LastResult,
  ListQuery,
  Notification,
  NotificationDetail,
  Page,
  RecentDeliveries,
  RecentRuns,
  RunStatus,
  RunTimeline,
} from '@svc/contract';
import type { RawBuilder } from 'kysely';
import { remedyOfReason, textOfNote, textOfReason } from '../../gateways/send/index.ts';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageOfKept, pageRequest } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { findQuery, readableQuery } from '../queries/index.ts';
import { countRuns, type RunTotals } from './counts.ts';
import { findKeptResult, findTaskIntervals, hasKeptResult } from './last-result-store.ts';
import { presentDetail, presentLastResult, presentNotification, type ReadsQuery } from './present.ts';
import { idsOf, readRecentDeliveries, readRecentRuns } from './recent.ts';
import { findReplacedChain } from './replacements.ts';
import {
  findQueryTexts,
  findRun,
  type HistoryFilter,
  isVisibleRun,
  listDeliveries,
  listHistory,
  sortable,
  subscriptionIdsOf,
} from './store.ts';
import { findTimeline, listTasksOfRun, presentTimeline, sourceNames } from './timeline.ts';
import { visibleRuns } from './visibility.ts';

type HistoryQuery = ListQuery & {
  readonly status?: RunStatus | undefined;
  readonly subscriptionId?: number | undefined;
  readonly contractId?: number | undefined;
  readonly queryId?: number | undefined;
  readonly search?: string | undefined;
  readonly recipientId?: number | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

type LastResultQuery = {
  readonly queryId: number;
  readonly subscriptionId?: number | undefined;
  /** Only runs that ended while this task was open. */
  readonly taskId?: number | undefined;
};
type LastResultAnswer = { readonly lastResult: LastResult | null };

export type HistoryService = ReturnType<typeof createHistoryService>;

/** Creates the history of runs. A hidden run is omitted from lists and reads as missing. */
export function createHistoryService(deps: { readonly database: Database; readonly rights: ProjectRights }) {
  const { database, rights } = deps;
  const visibleTo = async (caller: Caller): Promise<RawBuilder<boolean>> =>
    visibleRuns(caller, await rights.readableIds(database, caller));
  /**
   * Returns the check for the right to read a run's query. A caller may see a run by its data sources without that
   * right.
   */
  const queryReaderOf = async (caller: Caller): Promise<ReadsQuery> => {
    const readableIds = await rights.readableIds(database, caller);
    return ({ projectId }) => readableIds.includes(projectId);
  };
  const listBy = async (
    caller: Caller,
    query: HistoryQuery,
    subjects: Pick<HistoryFilter, 'subscriptionIds' | 'chain'>,
  ): Promise<Page<Notification>> => {
    const page = pageRequest(query, {
      sortable,
      byDefault: '-dueAt',
      unique: 'r.id',
      neverNull: ['r.due_at', 'r.id', 'r.created_time'],
    });
    const visible = await visibleTo(caller);
    const { status, contractId, recipientId, from, to } = query;
    const filter = { status, contractId, recipientId, from, to, ...subjects };
    const { rows, totalCount } = await listHistory(database, visible, filter, page);
    const readsQuery = await queryReaderOf(caller);
    return pageOfKept(
      rows.map((row) => presentNotification(row, readsQuery)),
      totalCount,
      page,
    );
  };
  return {
    /** Returns a condition on `svc.runs` as `r` for the runs that a caller may see. */
    visibleTo,

    list: async (caller: Caller, query: HistoryQuery): Promise<Page<Notification>> =>
      listBy(caller, query, { subscriptionIds: await subscriptionIdsOf(database, query) }),

    /** Lists the runs of a subscription and of each subscription that it replaced, up to the replacement. */
    listWithReplaced: async (
      caller: Caller,
      subscriptionId: number,
      query: ListQuery,
    ): Promise<Page<Notification>> => {
      const chain = await findReplacedChain(database, subscriptionId);
      return listBy(caller, query, { chain, subscriptionIds: chain.map((link) => link.subscriptionId) });
    },

    /** Counts the runs that the caller may see, and the failed runs among them. */
    count: async (caller: Caller): Promise<RunTotals> => countRuns(database, await visibleTo(caller)),

    /** Returns the outcomes of the last runs of subscriptions. @param ids  Comma-separated ids. */
    recentRuns: async (caller: Caller, ids: string): Promise<RecentRuns> =>
      readRecentRuns(database, await visibleTo(caller), idsOf(ids)),

    /** Returns the outcomes of the last delivery attempts to recipients. @param ids  Comma-separated ids. */
    recentDeliveries: async (caller: Caller, ids: string): Promise<RecentDeliveries> =>
      readRecentDeliveries(database, await visibleTo(caller), idsOf(ids)),

    /**
     * Returns the origin, the timing and the effects of a run. Includes tasks only if the caller may read the project.
     */
    timeline: async (caller: Caller, id: number): Promise<RunTimeline> => {
      const readableIds = await rights.readableIds(database, caller);
      const run = await findTimeline(database, visibleRuns(caller, readableIds), id);
      if (!run) throw notFound();
      const readsProject = readableIds.includes(run.projectId);
      const sourceIds = (run.execution?.statements ?? []).map(({ dataSourceId }) => dataSourceId);
      const [deliveries, tasks, names] = await Promise.all([
        listDeliveries(database, run),
        readsProject ? listTasksOfRun(database, run.id) : [],
        sourceNames(database, sourceIds),
      ]);
      const showsTechnical = holds(caller, 'SecurityAdmin');
      return presentTimeline(run, { deliveries, tasks, names }, { showsTechnical, textOfReason });
    },

    /**
     * Returns the newest stored rows of a query, among the runs that the caller may see. A task that the caller may not
     * read has no rows, like a missing one.
     */
    lastResult: async (caller: Caller, { taskId, ...of }: LastResultQuery): Promise<LastResultAnswer> => {
      const { queryId } = of;
      await readableQuery(rights, database, caller, queryId);
      const projectIds = await rights.readableIds(database, caller);
      const intervals =
        taskId === undefined
          ? undefined
          : await findTaskIntervals(database, { id: taskId, queryId, projectIds });
      const storedResult = await findKeptResult(database, visibleRuns(caller, projectIds), {
        ...of,
        intervals,
      });
      return { lastResult: storedResult ? presentLastResult(storedResult) : null };
    },

    /** Returns true if `lastResult` returns rows for a task of a query. */
    hasTaskRows: async (
      caller: Caller,
      { taskId, queryId }: { readonly taskId: number; readonly queryId: number },
    ): Promise<boolean> => {
      const query = await findQuery(database, queryId);
      const projectIds = await rights.readableIds(database, caller);
      if (!query || !projectIds.includes(query.projectId)) return false;
      const intervals = await findTaskIntervals(database, { id: taskId, queryId, projectIds });
      return hasKeptResult(database, visibleRuns(caller, projectIds), { queryId, intervals });
    },

    /** Returns true if the caller may see a run. */
    isVisible: async (caller: Caller, id: number): Promise<boolean> =>
      isVisibleRun(database, await visibleTo(caller), id),

    get: async (caller: Caller, id: number): Promise<NotificationDetail> => {
      const visible = await visibleTo(caller);
      const run = await findRun(database, visible, id);
      if (!run) throw notFound();
      const { queryVersionId } = run;
      return presentDetail(run, await listDeliveries(database, run), {
        readsQuery: await queryReaderOf(caller),
        queryTexts:
          run.reason === 'QueryFailed' && queryVersionId !== null
            ? await findQueryTexts(database, queryVersionId)
            : undefined,
        showsTechnical: holds(caller, 'SecurityAdmin'),
        textOfReason,
        remedyOfReason,
        textOfNote,
      });
    },
  };
}

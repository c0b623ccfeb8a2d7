import type { ListQuery, MissedRuns, Notification, NotificationDetail, Page } from '@svc/contract';
import { textOfNote, textOfReason } from '../../doors/send/index.ts';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import {
  findHistory,
  type HistoryFilter,
  isVisibleRun,
  listDeliveries,
  listHistory,
  sortable,
} from './history-store.ts';
import { listMissed } from './missed-store.ts';
import { presentDetail, presentNotification } from './present.ts';
import { visibleRuns } from './visibility.ts';

const missedOrder = {
  sortable: { firstDueAt: 'first_due_at', noticedAt: 'noticed_at', id: 'id' },
  byDefault: '-firstDueAt',
  unique: 'id',
};

export type HistoryService = ReturnType<typeof createHistoryService>;

/** The history of runs. A hidden run is left out of lists and reads as missing. */
export function createHistoryService(deps: { readonly database: Database; readonly rights: ProjectRights }) {
  const { database, rights } = deps;
  return {
    list: async (caller: Caller, query: ListQuery & HistoryFilter): Promise<Page<Notification>> => {
      const { status, subscriptionId, queryId, search } = query;
      const filter = { status, subscriptionId, queryId, search };
      const page = pageRequest(query, { sortable, byDefault: '-createdTime', unique: 'r.id' });
      const visible = visibleRuns(caller, await rights.readableIds(database, caller));
      const { rows, totalCount } = await listHistory(database, visible, filter, page);
      return pageOf(rows.map(presentNotification), totalCount, page);
    },

    /** Outages of a subscription. Whether the caller may see it is for whoever asks to check. */
    missedRuns: async (subscriptionId: number, query: ListQuery): Promise<Page<MissedRuns>> => {
      const page = pageRequest(query, missedOrder);
      const { rows, totalCount } = await listMissed(database, subscriptionId, page);
      return pageOf(
        rows.map(({ id, firstDueAt, lastDueAt, missedCount, noticedAt }) => ({
          id,
          firstDueAt: firstDueAt.toISOString(),
          lastDueAt: lastDueAt.toISOString(),
          missedCount,
          noticedAt: noticedAt.toISOString(),
        })),
        totalCount,
        page,
      );
    },

    /** Whether the caller may see a run. */
    isVisible: async (caller: Caller, id: number): Promise<boolean> =>
      isVisibleRun(database, visibleRuns(caller, await rights.readableIds(database, caller)), id),

    get: async (caller: Caller, id: number): Promise<NotificationDetail> => {
      const visible = visibleRuns(caller, await rights.readableIds(database, caller));
      const run = await findHistory(database, visible, id);
      if (!run) throw notFound();
      return presentDetail(run, await listDeliveries(database, id), {
        showsTechnical: holds(caller, 'SecurityAdmin'),
        textOfReason,
        textOfNote,
      });
    },
  };
}

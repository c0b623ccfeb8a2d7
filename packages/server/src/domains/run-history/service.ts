import type { ListQuery, Notification, NotificationDetail, Page } from '@svc/contract';
import type { RawBuilder } from 'kysely';
import { textOfNote, textOfReason } from '../../doors/send/index.ts';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { presentDetail, presentNotification } from './present.ts';
import { findRun, type HistoryFilter, isVisibleRun, listDeliveries, listHistory, sortable } from './store.ts';
import { visibleRuns } from './visibility.ts';

export type HistoryService = ReturnType<typeof createHistoryService>;

/** The history of runs. A hidden run is left out of lists and reads as missing. */
export function createHistoryService(deps: { readonly database: Database; readonly rights: ProjectRights }) {
  const { database, rights } = deps;
  const visibleTo = async (caller: Caller): Promise<RawBuilder<boolean>> =>
    visibleRuns(caller, await rights.readableIds(database, caller));
  return {
    /** Which runs a caller sees, as a condition on `svc.runs` as `r` and its query as `q`. */
    visibleTo,

    list: async (caller: Caller, query: ListQuery & HistoryFilter): Promise<Page<Notification>> => {
      const { status, subscriptionId, queryId, search } = query;
      const filter = { status, subscriptionId, queryId, search };
      const page = pageRequest(query, { sortable, byDefault: '-createdTime', unique: 'r.id' });
      const visible = await visibleTo(caller);
      const { rows, totalCount } = await listHistory(database, visible, filter, page);
      return pageOf(rows.map(presentNotification), totalCount, page);
    },

    /** Whether the caller may see a run. */
    isVisible: async (caller: Caller, id: number): Promise<boolean> =>
      isVisibleRun(database, await visibleTo(caller), id),

    get: async (caller: Caller, id: number): Promise<NotificationDetail> => {
      const visible = await visibleTo(caller);
      const run = await findRun(database, visible, id);
      if (!run) throw notFound();
      return presentDetail(run, await listDeliveries(database, id), {
        showsTechnical: holds(caller, 'SecurityAdmin'),
        textOfReason,
        textOfNote,
      });
    },
  };
}

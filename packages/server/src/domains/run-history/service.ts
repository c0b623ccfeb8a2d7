import type { ListQuery, Notification, NotificationDetail, Page, RunStatus } from '@svc/contract';
import type { RawBuilder } from 'kysely';
import { remedyOfReason, textOfNote, textOfReason } from '../../doors/send/index.ts';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { presentDetail, presentNotification } from './present.ts';
import { findRun, isVisibleRun, listDeliveries, listHistory, sortable, subscriptionIdsOf } from './store.ts';
import { visibleRuns } from './visibility.ts';

type HistoryQuery = ListQuery & {
  readonly status?: RunStatus | undefined;
  readonly subscriptionId?: number | undefined;
  readonly queryId?: number | undefined;
  readonly search?: string | undefined;
};

export type HistoryService = ReturnType<typeof createHistoryService>;

/** The history of runs. A hidden run is left out of lists and reads as missing. */
export function createHistoryService(deps: { readonly database: Database; readonly rights: ProjectRights }) {
  const { database, rights } = deps;
  const visibleTo = async (caller: Caller): Promise<RawBuilder<boolean>> =>
    visibleRuns(caller, await rights.readableIds(database, caller));
  return {
    /** Which runs a caller sees, as a condition on `svc.runs` as `r`. */
    visibleTo,

    list: async (caller: Caller, query: HistoryQuery): Promise<Page<Notification>> => {
      const page = pageRequest(query, {
        ...{ sortable, byDefault: '-dueAt', unique: 'r.id' },
        neverNull: ['r.due_at', 'r.id', 'r.created_time'],
      });
      const visible = await visibleTo(caller);
      const filter = { status: query.status, subscriptionIds: await subscriptionIdsOf(database, query) };
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
      return presentDetail(run, await listDeliveries(database, run), {
        showsTechnical: holds(caller, 'SecurityAdmin'),
        textOfReason,
        remedyOfReason,
        textOfNote,
      });
    },
  };
}

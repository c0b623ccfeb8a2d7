import type { ListQuery, MissedRuns, Page } from '@svc/contract';
import type { Database } from '../../platform/db/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import { listMissed } from './store.ts';

const missedOrder = {
  sortable: { firstDueAt: 'first_due_at', noticedAt: 'noticed_at', id: 'id' },
  byDefault: '-firstDueAt',
  unique: 'id',
};

export type MissedRunsService = ReturnType<typeof createMissedRunsService>;

/** Creates the service for missed runs. */
export const createMissedRunsService = ({ database }: { readonly database: Database }) => ({
  /** Returns outages of a subscription. The caller must have checked access to it. */
  list: async (subscriptionId: number, query: ListQuery): Promise<Page<MissedRuns>> => {
    const page = pageRequest(query, missedOrder);
    const { rows, totalCount } = await listMissed(database, subscriptionId, page);
    return pageOf(
      rows.map(({ id, firstDueAt, lastDueAt, missedCount, noticedAt, reason }) => ({
        id,
        reason,
        firstDueAt: firstDueAt.toISOString(),
        lastDueAt: lastDueAt.toISOString(),
        missedCount,
        noticedAt: noticedAt.toISOString(),
      })),
      totalCount,
      page,
    );
  },
});

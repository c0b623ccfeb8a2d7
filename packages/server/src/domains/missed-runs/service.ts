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

/** What should have run and did not. */
export const createMissedRunsService = ({ database }: { readonly database: Database }) => ({
  /** Outages of a subscription. Whether the caller may see it is for whoever asks to check. */
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

import type { ListQuery, Page, RecipientState, Subscription } from '@svc/contract';
import type { RawBuilder } from 'kysely';
import type { Caller } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { presentSubscription } from './present.ts';
import type { Schedules } from './schedule.ts';
import {
  findSubscription,
  listSubscriptions,
  type SubscriptionFilter,
  type SubscriptionRow,
  sortable,
} from './store/index.ts';

export type SubscriptionReaderDeps = {
  readonly rights: ProjectRights;
  readonly schedules: Schedules;
  /** Returns the effective state of a recipient, because approvals may be off. */
  readonly recipientState: (state: RecipientState) => RecipientState;
  /** Returns the runs that a caller may see, as a condition on `svc.runs` as `r` and its query as `q`. */
  readonly visibleRuns: (caller: Caller) => Promise<RawBuilder<boolean>>;
};

/** Page and filter of a list. */
export type SubscriptionsQuery = ListQuery & Partial<SubscriptionFilter>;

export type SubscriptionReader = ReturnType<typeof createSubscriptionReader>;

/** Creates the reads of subscriptions. Recipients have their effective state. */
export function createSubscriptionReader(deps: SubscriptionReaderDeps) {
  const { rights, schedules, visibleRuns } = deps;

  const find = async (executor: Executor, caller: Caller, id: number): Promise<SubscriptionRow> => {
    const row = await findSubscription(executor, id, await visibleRuns(caller));
    if (!row) throw notFound();
    return withStates(row);
  };

  const withStates = (row: SubscriptionRow): SubscriptionRow => ({
    ...row,
    recipients: row.recipients.map((each) => ({ ...each, state: deps.recipientState(each.state) })),
  });

  const present = (row: SubscriptionRow): Subscription =>
    presentSubscription(
      row,
      schedules.present(row.cronExpression, row.timeZone, row.archivedAt === null && row.pausedAt === null),
    );

  return {
    present,

    /** Returns the subscription when the caller has the right in its project, otherwise throws the refusal. */
    require: async (
      executor: Executor,
      caller: Caller,
      id: number,
      right: 'Read' | 'Write',
    ): Promise<SubscriptionRow> => {
      const row = await find(executor, caller, id);
      await rights.require(executor, caller, row.projectId, right);
      return row;
    },

    /** Returns a subscription without a check of rights, after a change by the caller. */
    get: async (executor: Executor, caller: Caller, id: number): Promise<Subscription> =>
      present(await find(executor, caller, id)),

    list: async (
      executor: Executor,
      caller: Caller,
      query: SubscriptionsQuery,
    ): Promise<Page<Subscription>> => {
      const { search, projectId, queryId, state = 'Active' } = query;
      const filter = { search, projectId, queryId, state };
      const page = pageRequest(query, { sortable, byDefault: '-createdTime', unique: 's.id' });
      const projectIds = await rights.readableIds(executor, caller);
      const view = { projectIds, visibleRuns: await visibleRuns(caller) };
      const { rows, totalCount } = await listSubscriptions(executor, view, filter, page);
      return pageOf(
        rows.map((row) => present(withStates(row))),
        totalCount,
        page,
      );
    },
  };
}

import type { Query } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../lib/paths.ts';
import { subscriptions } from '../../requests/subscriptions.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Table } from '../../ui/list/table.tsx';
import { subscriptionColumns } from '../../views/subscriptions/subscription-columns.tsx';

const subscriptionsShown = '200';

/** Query of the first page of a query's subscriptions. */
export const subscriptionsOf = (record: Query) =>
  subscriptions({ queryId: record.id, pageSize: subscriptionsShown });

/** Subscriptions of a query. */
export function QuerySubscriptions({ record }: { readonly record: Query }) {
  const list = useQuery(subscriptionsOf(record));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0) {
    return (
      <Empty icon="subscription" title="No subscriptions yet">
        A subscription runs this query on a schedule and sends the result to its recipients.
      </Empty>
    );
  }
  return (
    <Table
      label="Subscriptions"
      columns={subscriptionColumns}
      rows={list.data?.items}
      keyOf={(row) => row.id}
      to={(row) => paths.subscription(row.id)}
      skeletonRows={3}
    />
  );
}

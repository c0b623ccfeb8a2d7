import type { Subscription } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notifications } from '../../requests/notifications.ts';
import { query } from '../../requests/queries.ts';
import { lastResult } from '../../requests/runs/last-result.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Table } from '../../ui/list/table.tsx';
import type { Section } from '../../ui/record/detail.tsx';
import { Time } from '../../ui/text/time.tsx';
import { KeptResult } from '../../views/results/kept-result.tsx';
import { ownRunColumns } from '../../views/runs/notification-columns.tsx';
import classes from './subscription-page.module.css';

/** Returns the sections of rows and runs. Rows come first while the alert fires. */
export function rowsAndRuns(record: Subscription): readonly Section[] {
  const runs = { id: 'runs', label: 'Runs', content: <Runs record={record} /> };
  const rows = { id: 'result', label: 'Last result', content: <LastRows record={record} /> };
  const isFiring = record.alertState?.state === 'Firing' || record.alertState?.state === 'Recovering';
  return isFiring && record.storeResults ? [rows, runs] : [runs, rows];
}

function Runs({ record }: { readonly record: Subscription }) {
  const runs = useQuery(notifications({ subscriptionId: record.id, pageSize: '20' }));
  if (runs.isLoadingError) return <ProblemView error={runs.error} onRetry={() => void runs.refetch()} />;
  if (runs.data?.totalCount === 0) {
    return (
      <Empty icon="notification" title="It has not run yet">
        {record.schedule.nextTimes[0] !== undefined && (
          <>
            Its next run is <Time at={record.schedule.nextTimes[0]} />.{' '}
          </>
        )}
        Test it now to see what is delivered.
      </Empty>
    );
  }
  return (
    <>
      <Table
        label="Runs"
        columns={ownRunColumns}
        rows={runs.data?.items}
        keyOf={(row) => row.id}
        to={(row) => paths.notification(row.id)}
      />
      {(runs.data?.pageCount ?? 0) > 1 && (
        <p>
          <Link to={paths.notifications({ subscriptionId: record.id })}>
            All {plural(runs.data?.totalCount ?? 0, 'run')}
          </Link>
        </p>
      )}
    </>
  );
}

/** Newest rows that a run of the subscription stored. */
function LastRows({ record }: { readonly record: Subscription }) {
  const result = useQuery(lastResult(record.queryId, { subscriptionId: record.id }));
  const version = useQuery(query(record.queryId)).data?.versionNumber ?? null;
  if (result.isLoadingError)
    return <ProblemView error={result.error} onRetry={() => void result.refetch()} />;
  if (!result.data) return <div className={classes['rows']} aria-busy="true" />;
  const { lastResult: stored } = result.data;
  if (stored === null) {
    return (
      <Empty icon="table" title="No rows were kept yet">
        {record.storeResults
          ? 'Its next run keeps the rows that it finds.'
          : 'Its runs keep no rows. To see them here, edit the subscription and keep the rows of each run.'}
      </Empty>
    );
  }
  return (
    <div className={`panel ${classes['rows']}`}>
      <KeptResult kept={stored} presentVersion={version} />
    </div>
  );
}

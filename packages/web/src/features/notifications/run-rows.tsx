import type { NotificationDetail } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { lastResult } from '../../requests/runs/last-result.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Time } from '../../ui/text/time.tsx';
import { rowsOf } from '../../views/results/cells.ts';
import { ResultGrid } from '../../views/results/later-grid.tsx';
import classes from './notification-page.module.css';

/** Stored rows of a run. */
export function RunRows({ record }: { readonly record: NotificationDetail }) {
  if (!record.results) {
    return (
      <Empty icon="table" title="The rows were not kept">
        The subscription does not keep rows, or the run did not get any. <LastStored record={record} />
      </Empty>
    );
  }
  const columns = record.results.columns.map((name) => ({
    name,
    kind: 'text',
    databaseType: '',
    isMasked: false,
    maskedReason: null,
  }));
  return (
    <>
      {record.results.isTruncated && (
        <p className="soft">
          Only the first {plural(record.results.rows.length, 'row')} were kept. Sorting, statistics and
          copying cover these.
        </p>
      )}
      <div className={`panel ${classes['rows']}`}>
        <ResultGrid
          label="Rows of the run"
          columns={columns}
          rows={rowsOf(record.results)}
          part={
            record.results.isTruncated
              ? `the first ${plural(record.results.rows.length, 'row')} of the run`
              : undefined
          }
        />
      </div>
    </>
  );
}

/** Link to the newest rows that another run of the query stored. */
function LastStored({ record: { queryId } }: { readonly record: NotificationDetail }) {
  const { data } = useQuery({ ...lastResult(queryId ?? 0), enabled: queryId !== null });
  if (!data?.lastResult) return null;
  const { notificationId, ranAt } = data.lastResult;
  return (
    <>
      <Link to={paths.notification(notificationId)}>See the last kept result</Link>, <Time at={ranAt} />.
    </>
  );
}

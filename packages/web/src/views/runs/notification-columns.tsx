import type { Notification } from '@svc/contract';
import { duration } from '../../lib/format.ts';
import type { Column } from '../../ui/list/columns.ts';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import classes from './notification-columns.module.css';
import { resultInWords, resultLines } from './result-count.ts';
import { RunState } from './run-status.tsx';

/** Columns of every table of runs. */
export const notificationColumns: readonly Column<Notification>[] = [
  {
    id: 'status',
    label: 'Status',
    width: '152px',
    narrowWidth: '128px',
    sort: 'status',
    cell: (row) => <RunState {...row} />,
  },
  {
    id: 'query',
    label: 'Query',
    sort: 'queryName',
    cell: (row) => (
      <>
        {row.queryName} {row.origin === 'Test' && <Tag>Test</Tag>}
        <span data-narrow-only className="soft">
          <Time at={row.createdTime} isQuiet />
        </span>
        <span data-narrow-only className="soft">
          {resultInWords(row)}
        </span>
      </>
    ),
  },
  {
    id: 'told',
    label: 'Sent to',
    width: '200px',
    from: 800,
    cell: (row) => row.recipientNames.join(', ') || <span className="soft">Nobody</span>,
  },
  {
    id: 'rows',
    label: 'Rows',
    width: '136px',
    align: 'right',
    sort: 'resultCount',
    from: 480,
    cell: (row) =>
      resultLines(row).map((line) => (
        <span key={line} className={row.contractId === null ? 'mono' : classes['line']}>
          {line}
        </span>
      )),
  },
  {
    id: 'took',
    label: 'Duration',
    width: '88px',
    align: 'right',
    from: 640,
    cell: (row) => (
      <span className="mono">{row.executionTimeMs === null ? '' : duration(row.executionTimeMs)}</span>
    ),
  },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    align: 'right',
    sort: 'createdTime',
    from: 480,
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
];

/** Columns for the runs of one subscription. They omit the query, so the state shows a test run. */
export const ownRunColumns: readonly Column<Notification>[] = notificationColumns
  .filter((column) => column.id !== 'query')
  .map(({ from, ...column }) => {
    if (column.id === 'status')
      return {
        ...column,
        cell: (row) => (
          <>
            <RunState {...row} /> {row.origin === 'Test' && <Tag>Test</Tag>}
          </>
        ),
      };
    // The omitted column contained the time for narrow tables, so the time column has no minimum width.
    return { ...column, ...(from && column.id !== 'when' && { from }) };
  });

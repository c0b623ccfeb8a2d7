import { Button, Select } from '@mantine/core';
import type { AnomalyPoint, Subscription } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, plural } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { Table } from '../../../ui/list/table.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { CountChart } from '../../../views/runs/count-chart.tsx';
import { anomalyChart } from '../requests/anomaly-chart.ts';
import { Anomalies } from './anomalies.tsx';
import { WatchDialog } from './watch-dialog.tsx';
import { watchInWords } from './words.ts';

const spans = ['7', '30', '90', '365'] as const;

type Props = { readonly record: Subscription; readonly canWrite: boolean };

/** Row counts of the runs, with expected counts and anomalies. */
export function RowCounts({ record, canWrite }: Props) {
  const [days, setDays] = useState<string>('30');
  const [isTable, setTable] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const chart = useQuery(anomalyChart(record.id, Number(days)));
  if (chart.isLoadingError) return <ProblemView error={chart.error} onRetry={() => void chart.refetch()} />;
  if (!chart.data) return <div aria-busy="true" />;
  const { points, isCut, model, pointCount, pointsNeeded } = chart.data;
  return (
    <div className="stack">
      <div className="row wrap" style={{ alignItems: 'flex-end' }}>
        <Select
          label="Show the last"
          data={spans.map((span) => ({ value: span, label: plural(Number(span), 'day') }))}
          value={days}
          allowDeselect={false}
          onChange={(span) => setDays(span ?? '30')}
          w={144}
        />
        {canWrite && (
          <Button onClick={() => setEditing(true)}>
            {model === null ? 'Watch row counts' : 'Change how they are watched'}
          </Button>
        )}
        {points.length > 0 && (
          <Button
            leftSection={<Icon name={isTable ? 'chart' : 'table'} />}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'Chart' : 'Table'}
          </Button>
        )}
        <span className="soft">{watchInWords(model)}</span>
      </div>
      {model !== null && pointCount < pointsNeeded && (
        <p role="status">
          Learning the usual numbers: {pointCount} of {plural(pointsNeeded, 'scheduled run')} so far.
        </p>
      )}
      <Counts points={points} isTable={isTable} threshold={record.minimumRowCount} />
      {isCut && <p className="soft">The newest {plural(points.length, 'run')} of these days.</p>}
      <Anomalies points={points} subscriptionId={record.id} canWrite={canWrite} />
      {isEditing && <WatchDialog record={record} onClose={() => setEditing(false)} />}
    </div>
  );
}

type CountsProps = {
  readonly points: readonly AnomalyPoint[];
  readonly isTable: boolean;
  readonly threshold: number | null;
};

/** Row counts of the runs, as a table or as a chart. */
function Counts({ points, isTable, threshold }: CountsProps) {
  if (points.length === 0)
    return (
      <Empty icon="notification" title="No counts yet">
        Each run adds a point to the chart.
      </Empty>
    );
  if (!isTable) return <CountChart points={points} threshold={threshold} />;
  return (
    <Table
      label="Row counts"
      columns={columns}
      rows={points.toReversed()}
      keyOf={(row) => row.notificationId}
      to={(row) => paths.notification(row.notificationId)}
    />
  );
}

const columns: readonly Column<AnomalyPoint>[] = [
  { id: 'when', label: 'Run', cell: (row) => <Time at={row.dueAt} /> },
  {
    id: 'rows',
    label: 'Rows',
    width: '96px',
    align: 'right',
    cell: (row) => <span className="mono">{count(row.resultCount)}</span>,
  },
  {
    id: 'expected',
    label: 'Expected',
    width: '176px',
    align: 'right',
    from: 480,
    cell: (row) => (
      <span className="mono">
        {row.lower === null || row.upper === null
          ? ''
          : `${count(Math.ceil(row.lower))} to ${count(Math.floor(row.upper))}`}
      </span>
    ),
  },
  {
    id: 'severity',
    label: 'Anomalies',
    width: '160px',
    from: 640,
    cell: (row) => row.severity ?? '',
  },
];

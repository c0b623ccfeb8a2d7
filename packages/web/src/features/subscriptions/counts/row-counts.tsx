import { ActionIcon, Button, Menu, Select } from '@mantine/core';
import { type AnomalyPoint, type AnomalyVerdict, type Subscription, setAnomalyVerdict } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, plural, shortTime } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { useChange } from '../../../lib/server-state.ts';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { toastProblem } from '../../../ui/feedback/toast.tsx';
import { Link } from '../../../ui/frame/link.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { Table } from '../../../ui/list/table.tsx';
import { Status } from '../../../ui/record/status.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { CountChart } from '../../../views/runs/count-chart.tsx';
import { anomalyChart } from '../requests/anomaly-chart.ts';
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
  const odd = points.filter(({ severity }) => severity !== null).toReversed();
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
      {points.length === 0 ? (
        <Empty icon="notification" title="No counts yet">
          Each run adds a point to the chart.
        </Empty>
      ) : isTable ? (
        <Table
          label="Row counts"
          columns={countColumns}
          rows={points.toReversed()}
          keyOf={(row) => row.notificationId}
          to={(row) => paths.notification(row.notificationId)}
        />
      ) : (
        <CountChart points={points} threshold={record.minimumRowCount} />
      )}
      {isCut && <p className="soft">The newest {plural(points.length, 'run')} of these days.</p>}
      {odd.length > 0 && (
        <section className="stack-tight">
          <h2>Anomalies</h2>
          <Table
            label="Anomalies"
            columns={columns}
            rows={odd}
            keyOf={(row) => row.notificationId}
            {...(canWrite && {
              actions: (row: AnomalyPoint) => <Verdict subscriptionId={record.id} point={row} />,
            })}
          />
        </section>
      )}
      {isEditing && <WatchDialog record={record} onClose={() => setEditing(false)} />}
    </div>
  );
}

const countColumns: readonly Column<AnomalyPoint>[] = [
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

const columns: readonly Column<AnomalyPoint>[] = [
  {
    id: 'when',
    label: 'Run',
    width: '144px',
    cell: (row) => (
      <Link to={paths.notification(row.notificationId)}>
        <Time at={row.dueAt} />
      </Link>
    ),
  },
  { id: 'what', label: 'What', cell: (row) => row.explanation },
  {
    id: 'severity',
    label: 'Severity',
    width: '112px',
    from: 640,
    cell: (row) => (
      <Status tone={row.severity === 'Critical' || row.severity === 'High' ? 'red' : 'amber'}>
        {row.severity ?? ''}
      </Status>
    ),
  },
  {
    id: 'verdict',
    label: 'Was it expected?',
    width: '136px',
    from: 800,
    cell: (row) => verdictWords(row.verdict),
  },
];

const verdictWords = (verdict: AnomalyVerdict | null): string => {
  if (verdict === null) return 'Not said';
  return verdict === 'Expected' ? 'Expected' : 'Real';
};

/** Verdict of a user about an anomaly. An expected anomaly counts as ordinary from then on. */
function Verdict({
  subscriptionId,
  point,
}: {
  readonly subscriptionId: number;
  readonly point: AnomalyPoint;
}) {
  const change = useChange(setAnomalyVerdict);
  const say = (verdict: AnomalyVerdict | null) =>
    void change
      .mutateAsync({
        params: { id: subscriptionId, notificationId: point.notificationId },
        body: { verdict },
      })
      .catch(toastProblem);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for the run of ${shortTime(point.dueAt)}`} size={28}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={point.verdict === 'Expected'} onClick={() => say('Expected')}>
          Expected: it counts as usual
        </Menu.Item>
        <Menu.Item disabled={point.verdict === 'Real'} onClick={() => say('Real')}>
          Real: it is left out of learning
        </Menu.Item>
        {point.verdict !== null && <Menu.Item onClick={() => say(null)}>Clear the verdict</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}

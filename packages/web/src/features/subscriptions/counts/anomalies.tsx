import { ActionIcon, Menu } from '@mantine/core';
import { type AnomalyPoint, type AnomalyVerdict, setAnomalyVerdict } from '@svc/contract';
import { shortTime } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { useChange } from '../../../lib/server-state.ts';
import { toastProblem } from '../../../ui/feedback/toast.tsx';
import { Link } from '../../../ui/frame/link.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { Table } from '../../../ui/list/table.tsx';
import { Status } from '../../../ui/record/status.tsx';
import { Icon } from '../../../ui/text/icons.tsx';
import { Time } from '../../../ui/text/time.tsx';

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

type Props = {
  readonly points: readonly AnomalyPoint[];
  readonly subscriptionId: number;
  readonly canWrite: boolean;
};

/** Runs with an unusual number of rows, newest first. A user can set the verdict. */
export function Anomalies({ points, subscriptionId, canWrite }: Props) {
  const anomalies = points.filter(({ severity }) => severity !== null).toReversed();
  if (anomalies.length === 0) return null;
  return (
    <section className="stack-tight">
      <h2>Anomalies</h2>
      <Table
        label="Anomalies"
        columns={columns}
        rows={anomalies}
        keyOf={(row) => row.notificationId}
        {...(canWrite && {
          actions: (row: AnomalyPoint) => <Verdict subscriptionId={subscriptionId} point={row} />,
        })}
      />
    </section>
  );
}

/** Verdict of a user about an anomaly. An expected anomaly counts as ordinary from then on. */
function Verdict({
  subscriptionId,
  point,
}: {
  readonly subscriptionId: number;
  readonly point: AnomalyPoint;
}) {
  const change = useChange(setAnomalyVerdict);
  const setVerdict = (verdict: AnomalyVerdict | null) =>
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
        <Menu.Item disabled={point.verdict === 'Expected'} onClick={() => setVerdict('Expected')}>
          Expected: it counts as usual
        </Menu.Item>
        <Menu.Item disabled={point.verdict === 'Real'} onClick={() => setVerdict('Real')}>
          Real: it is left out of learning
        </Menu.Item>
        {point.verdict !== null && <Menu.Item onClick={() => setVerdict(null)}>Clear the verdict</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}

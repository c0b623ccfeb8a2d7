import { runStatuses, type TaskDetail, type TaskExecution } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, duration, plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { notFoundProblem } from '../../lib/problem.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Detail, type Section } from '../../ui/record/detail.tsx';
import { type Fact, Facts } from '../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../ui/record/record.tsx';
import { Time, Until } from '../../ui/text/time.tsx';
import { CountChart } from '../../views/runs/count-chart.tsx';
import { RunState } from '../../views/runs/run-status.tsx';
import { relatedTasks, task, taskExecutions, taskResultHistory } from './requests/tasks.ts';
import { TaskActs } from './task-acts.tsx';
import { taskColumns } from './task-columns.tsx';
import { TaskRows } from './task-rows.tsx';
import { Priority, TaskState } from './task-state.tsx';
import { Timeline } from './timeline.tsx';

/** Page of one task: its cause, its history and its actions. */
export function TaskPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={task(id)}>{(record) => <TaskView key={record.id} record={record} />}</Record>;
}

/** @param counted  Noun of the counts, as a heading. */
const executionColumns = (counted: 'Rows' | 'Rules'): readonly Column<TaskExecution>[] => [
  {
    id: 'status',
    label: 'Status',
    width: '152px',
    cell: (row) => {
      const ofRun = runStatuses.find((status) => status === row.status);
      return ofRun ? <RunState status={ofRun} /> : <span>{row.status}</span>;
    },
  },
  {
    id: 'rows',
    label: counted,
    align: 'right',
    cell: (row) => <span className="mono">{row.rowCount === null ? '' : count(row.rowCount)}</span>,
  },
  {
    id: 'took',
    label: 'Duration',
    width: '88px',
    align: 'right',
    from: 480,
    cell: (row) => <span className="mono">{row.durationMs === null ? '' : duration(row.durationMs)}</span>,
  },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    align: 'right',
    cell: (row) => <Time at={row.executedAt} isQuiet />,
  },
];

function TaskView({ record }: { readonly record: TaskDetail }) {
  // Rows that a run stores later do not move the tabs of an open page.
  const [hasRowsFirst] = useState(record.hasStoredRows);
  return (
    <>
      <PageHeader
        title={record.name}
        parent={{ to: paths.tasks(), label: 'Tasks' }}
        facts={
          <>
            <span role="status">
              <TaskState task={record} />
            </span>
            <Priority priority={record.priority} />
            <span>{record.assigneeName ?? 'Unassigned'}</span>
          </>
        }
        actions={<TaskActs record={record} />}
      />
      <Detail sections={sectionsOf(record, hasRowsFirst)} side={<Facts facts={factsOf(record)} />} />
    </>
  );
}

/** Tabs of a task. The rows are the first tab only if the task has stored rows. */
function sectionsOf(record: TaskDetail, hasRowsFirst: boolean): readonly Section[] {
  const { id: taskId, queryId, contractId } = record;
  const rows: Section[] =
    queryId === null
      ? []
      : [{ id: 'rows', label: 'Rows', content: <TaskRows queryId={queryId} taskId={taskId} /> }];
  return [
    ...(hasRowsFirst ? rows : []),
    {
      id: 'timeline',
      label: 'Timeline',
      content: (
        <>
          <Counts taskId={taskId} counted={contractId === null ? 'row' : 'rule'} />
          <Timeline taskId={taskId} />
        </>
      ),
    },
    { id: 'runs', label: 'Runs', content: <Runs taskId={taskId} contractId={contractId} /> },
    ...(hasRowsFirst ? [] : rows),
    { id: 'related', label: 'Earlier and later', content: <Related taskId={taskId} /> },
  ];
}

function factsOf(record: TaskDetail): readonly Fact[] {
  const nobody = <span className="soft">Nobody</span>;
  const when = (label: string, at: string | null): Fact[] =>
    at === null ? [] : [{ label, value: <Time at={at} /> }];
  const linked = (label: string, to: string | undefined): Fact[] =>
    to === undefined ? [] : [{ label, value: <Link to={to}>{record.name}</Link> }];
  const { subscriptionId, contractId, queryId, previousTaskId } = record;
  return [
    {
      label: contractId === null ? 'Rows' : 'Rules that did not pass',
      value: <span className="mono">{count(record.latestResultCount)}</span>,
    },
    ...when('Last run', record.latestAt),
    ...linked('Query', queryId === null ? undefined : paths.query(queryId)),
    ...linked('Subscription', subscriptionId === null ? undefined : paths.subscription(subscriptionId)),
    ...linked('Data contract', contractId === null ? undefined : paths.contract(contractId)),
    { label: 'Project', value: <Link to={paths.project(record.projectId)}>{record.projectName}</Link> },
    { label: 'Assignee', value: record.assigneeName ?? nobody },
    { label: 'Owner', value: record.ownerName ?? nobody },
    {
      label: 'Watched by',
      value: record.watcherCount === 0 ? nobody : plural(record.watcherCount, 'person', 'people'),
    },
    ...when('Opened', record.createdTime),
    ...(record.state === 'Open' ? when('Due', record.dueAt) : []),
    ...(record.snoozedUntil === null
      ? []
      : [{ label: 'Snoozed', value: <Until at={record.snoozedUntil} /> }]),
    ...when('Resolved', record.resolvedAt),
    ...(record.resolution === null
      ? []
      : [
          {
            label: 'Resolved by',
            value:
              record.resolvedByName ??
              (contractId === null ? 'A run that found no rows' : 'A good evaluation'),
          },
        ]),
    ...(previousTaskId === null
      ? []
      : [{ label: 'Before this', value: <Link to={paths.task(previousTaskId)}>The task before</Link> }]),
  ];
}

function Counts({ taskId, counted }: { readonly taskId: number; readonly counted: 'row' | 'rule' }) {
  const history = useQuery(taskResultHistory(taskId));
  const points = history.data?.points.map(
    ({ sampledAt: dueAt, notificationId, evaluationId, resultCount }) => ({
      dueAt,
      resultCount,
      notificationId: notificationId ?? evaluationId ?? 0,
    }),
  );
  return points === undefined ? null : <CountChart points={points} counted={counted} />;
}

function Runs({ taskId, contractId }: { readonly taskId: number; readonly contractId: number | null }) {
  const runs = useQuery(taskExecutions(taskId));
  if (runs.isLoadingError) return <ProblemView error={runs.error} onRetry={() => void runs.refetch()} />;
  if (runs.data?.totalCount === 0)
    return (
      <Empty icon="notification" title="No run that you may see">
        Runs are shown to people who can read every data source that they read.
      </Empty>
    );
  return (
    <Table
      label="Runs"
      columns={executionColumns(contractId === null ? 'Rows' : 'Rules')}
      rows={runs.data?.items}
      keyOf={(row) => row.id}
      to={(row) => (contractId === null ? paths.notification(row.id) : paths.contract(contractId))}
    />
  );
}

function Related({ taskId }: { readonly taskId: number }) {
  const related = useQuery(relatedTasks(taskId));
  if (related.isLoadingError)
    return <ProblemView error={related.error} onRetry={() => void related.refetch()} />;
  if (related.data?.totalCount === 0)
    return (
      <Empty icon="task" title="No other tasks">
        Other tasks of the same query appear here.
      </Empty>
    );
  return (
    <Table
      label="Tasks of the same query"
      columns={taskColumns}
      rows={related.data?.items}
      keyOf={(row) => row.id}
      to={(row) => paths.task(row.id)}
    />
  );
}

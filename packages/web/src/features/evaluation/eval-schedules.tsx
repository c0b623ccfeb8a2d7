import { Button } from '@mantine/core';
import type { EvalSchedule, EvalSkipReason } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Status } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { EvalScheduleDialog } from './eval-schedule-dialog.tsx';
import { EvalScheduleMenu } from './eval-schedule-menu.tsx';
import { percent, percentLimit } from './percent.ts';
import { evalSchedules } from './requests/evaluation.ts';

const skipWords: Readonly<Record<EvalSkipReason, string>> = {
  NoExamples: 'the project had no sound golden example',
  NotConfigured: 'no language model was set up',
  BudgetSpent: 'the budget of the language model was spent',
  StillRunning: 'the one before had not ended',
};

const State = ({ row }: { readonly row: EvalSchedule }) => {
  if (row.isPaused)
    return (
      <>
        <Status tone="neutral">Paused</Status>
        {row.pauseReason !== null && (
          <div className="soft">Its owner is disabled or no Admin any more. Save it to take it over.</div>
        )}
      </>
    );
  return <Status tone={row.isBelow ? 'red' : 'green'}>{row.isBelow ? 'Below' : 'As wanted'}</Status>;
};

const columns: readonly Column<EvalSchedule>[] = [
  {
    id: 'project',
    label: 'Project',
    cell: (row) => (
      <>
        {row.projectName}
        <div className="soft">{row.schedule.description}</div>
        {row.lastSkip !== null && (
          <div className="soft">
            Not started <Time at={row.lastSkip.at} />: {skipWords[row.lastSkip.reason]}.
          </div>
        )}
      </>
    ),
  },
  { id: 'state', label: 'State', width: '160px', cell: (row) => <State row={row} /> },
  {
    id: 'wanted',
    label: 'Wanted',
    width: '88px',
    align: 'right',
    from: 640,
    cell: (row) => <span className="mono">{percentLimit(row.minAccuracy)}</span>,
  },
  {
    id: 'last',
    label: 'Last',
    width: '136px',
    align: 'right',
    from: 480,
    cell: ({ lastRun, minAccuracy }) =>
      lastRun && (
        <Link to={paths.evaluation({ run: lastRun.id })}>
          {lastRun.accuracy === null ? lastRun.state : `${percent(lastRun.accuracy, minAccuracy)} right`}
        </Link>
      ),
  },
  {
    id: 'next',
    label: 'Next',
    width: '112px',
    from: 800,
    cell: ({ schedule: { nextTimes } }) => nextTimes[0] !== undefined && <Time at={nextTimes[0]} />,
  },
];

/** Evaluation schedules of projects, and whether the accuracy of their answers meets the minimum. */
export function EvalSchedules() {
  const [isAdding, setAdding] = useState(false);
  const list = useQuery(evalSchedules);
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  const add = <Button onClick={() => setAdding(true)}>New schedule</Button>;
  const dialog = isAdding && <EvalScheduleDialog record={null} onClose={() => setAdding(false)} />;
  const total = list.data?.totalCount ?? 0;
  if (list.data && total === 0)
    return (
      <>
        <Empty icon="check" title="No schedules" action={add}>
          A schedule evaluates the golden examples of a project regularly, and you get a notice when fewer
          answers are right than you want.
        </Empty>
        {dialog}
      </>
    );
  return (
    <div className="stack">
      <div>{add}</div>
      <Table
        label="Schedules"
        columns={columns}
        rows={list.data?.items}
        keyOf={(row) => row.projectId}
        actions={(row) => <EvalScheduleMenu record={row} />}
      />
      {list.data && total > list.data.items.length && (
        <p className="soft">
          The first {list.data.items.length} of {count(total)}.
        </p>
      )}
      {dialog}
    </div>
  );
}

import type { Task } from '@svc/contract';
import { count, plural } from '../../lib/format.ts';
import type { Column } from '../../ui/list/columns.ts';
import { Time } from '../../ui/text/time.tsx';
import { Priority, TaskState } from './task-state.tsx';

/** Columns of every table of tasks. */
export const taskColumns: readonly Column<Task>[] = [
  {
    id: 'name',
    label: 'Task',
    sort: 'name',
    cell: (row) => (
      <>
        {row.name} <Priority priority={row.priority} />
      </>
    ),
  },
  {
    id: 'state',
    label: 'State',
    width: '112px',
    cell: (row) => <TaskState task={row} />,
  },
  {
    id: 'rows',
    label: 'Rows',
    width: '88px',
    align: 'right',
    sort: 'latestResultCount',
    from: 480,
    cell: ({ contractId, latestResultCount }) =>
      contractId === null ? (
        <span className="mono">{count(latestResultCount)}</span>
      ) : (
        plural(latestResultCount, 'rule')
      ),
  },
  {
    id: 'assignee',
    label: 'Assignee',
    width: '152px',
    from: 640,
    cell: (row) => row.assigneeName ?? <span className="soft">Nobody</span>,
  },
  { id: 'project', label: 'Project', width: '152px', from: 960, cell: (row) => row.projectName },
  {
    id: 'due',
    label: 'Due',
    width: '112px',
    align: 'right',
    sort: 'dueAt',
    from: 800,
    cell: (row) =>
      row.dueAt === null || row.state === 'Resolved' ? (
        <span className="soft">None</span>
      ) : (
        <Time at={row.dueAt} isQuiet />
      ),
  },
  {
    id: 'opened',
    label: 'Opened',
    width: '112px',
    align: 'right',
    sort: 'createdTime',
    from: 480,
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
];

import type { TowerHealthEntry } from '@svc/contract';
import { count } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/frame/link.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { allReasons, HealthStatus, reasonOf, share } from './health.tsx';

/** Columns of the control tower, for subscriptions and data contracts. */
export const towerColumns: readonly Column<TowerHealthEntry>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: (row) => (
      <>
        {row.name} {row.kind === 'Contract' && <Tag>Contract</Tag>}
      </>
    ),
  },
  { id: 'health', label: 'Health', width: '112px', cell: (row) => <HealthStatus health={row.health} /> },
  {
    id: 'reason',
    label: 'Why',
    width: '24%',
    from: 640,
    cell: (row) => <span title={allReasons(row)}>{reasonOf(row)}</span>,
  },
  { id: 'project', label: 'Project', width: '136px', from: 960, cell: (row) => row.projectName },
  {
    id: 'rate',
    label: 'Succeeded',
    width: '88px',
    align: 'right',
    sort: 'successRate',
    from: 480,
    cell: (row) => <span className="mono">{share(row.successRate)}</span>,
  },
  {
    id: 'runs',
    label: 'Runs',
    width: '72px',
    align: 'right',
    from: 800,
    cell: (row) => <span className="mono">{count(row.judged)}</span>,
  },
  {
    id: 'good',
    label: 'Last good run',
    width: '128px',
    align: 'right',
    from: 800,
    cell: (row) =>
      row.lastGoodAt === null ? <span className="soft">None</span> : <Time at={row.lastGoodAt} isQuiet />,
  },
  {
    id: 'task',
    label: 'Task',
    width: '72px',
    from: 960,
    cell: (row) => row.openTaskId !== null && <Link to={paths.task(row.openTaskId)}>Open</Link>,
  },
];

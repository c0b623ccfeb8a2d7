import type { MigrationExecution } from '@svc/contract';
import { count, words } from '../../../lib/format.ts';
import type { Column } from '../../../ui/list/columns.ts';
import { Tag } from '../../../ui/record/status.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { changesOf, Outcome } from './outcome.tsx';

export const executionColumns: readonly Column<MigrationExecution>[] = [
  {
    id: 'status',
    label: 'Outcome',
    width: '184px',
    narrowWidth: '140px',
    cell: (row) => (
      <>
        <Outcome status={row.status} /> {row.isTrial && <Tag>Trial</Tag>}
      </>
    ),
  },
  {
    id: 'read',
    label: 'Rows read',
    width: '112px',
    align: 'right',
    from: 480,
    cell: (row) => <span className="mono">{count(row.rowsRead)}</span>,
  },
  { id: 'changes', label: 'At the destination', width: '26%', from: 640, cell: changesOf },
  { id: 'trigger', label: 'Started by', width: '112px', from: 800, cell: (row) => words(row.trigger) },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    narrowWidth: '96px',
    align: 'right',
    sort: 'createdTime',
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
];

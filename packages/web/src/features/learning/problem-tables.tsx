import type { LearningStats } from '@svc/contract';
import { count } from '../../lib/format.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';

type Row = LearningStats['problemTables'][number];

const columns: readonly Column<Row>[] = [
  { id: 'table', label: 'Table', cell: (row) => <span className="mono">{row.table}</span> },
  { id: 'source', label: 'Data source', width: '176px', from: 640, cell: (row) => row.dataSourceName },
  { id: 'project', label: 'Project', width: '160px', from: 800, cell: (row) => row.projectName },
  {
    id: 'refused',
    label: 'Refused',
    width: '136px',
    align: 'right',
    cell: (row) => (
      <span className="mono">
        {count(row.refusedCount)} of {count(row.signalCount)}
      </span>
    ),
  },
];

/** Tables whose statements fail more often than the statements of other tables. */
export function ProblemTables({ tables }: { readonly tables: readonly Row[] | undefined }) {
  if (tables?.length === 0)
    return (
      <Empty icon="check" title="No problem tables">
        A table appears here once three or more statements were about it and some of them were refused.
      </Empty>
    );
  return (
    <Table
      label="Problem tables"
      columns={columns}
      rows={tables}
      keyOf={(row) => `${row.projectId} ${row.dataSourceId} ${row.table}`}
    />
  );
}

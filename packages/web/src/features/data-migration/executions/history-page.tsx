import { type MigrationExecution, type MigrationStatus, migrationStatuses } from '@svc/contract';
import { words } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import type { Column } from '../../../ui/list/columns.ts';
import { ListPage, type ListState } from '../../../ui/list/list-page.tsx';
import { findMigrationJobs, migrationExecutions, migrationJob } from '../requests/migrations.ts';
import { executionColumns } from './execution-columns.tsx';

const columns: readonly Column<MigrationExecution>[] = [
  { id: 'name', label: 'Job', cell: (row) => row.name },
  ...executionColumns,
];

const statusOf = (text: string | undefined): MigrationStatus | undefined =>
  migrationStatuses.find((status) => status === text);

const read = ({ migrationJobId, status, search: _search, ...rest }: ListState) => {
  const [id, executionStatus] = [Number(migrationJobId), statusOf(status)];
  return migrationExecutions({
    ...rest,
    ...(Number.isSafeInteger(id) && id > 0 && { migrationJobId: id }),
    ...(executionStatus && { status: executionStatus }),
  });
};

/** All copies, newest first. */
export function HistoryPage() {
  return (
    <ListPage
      id="migration-history"
      title="Migration history"
      parent={{ to: paths.migrationJobs(), label: 'Data migration' }}
      icon="migration"
      read={read}
      columns={columns}
      filters={[
        { name: 'migrationJobId', label: 'Job', find: findMigrationJobs, one: migrationJob },
        {
          name: 'status',
          label: 'Outcome',
          options: migrationStatuses.map((status) => ({ value: status, label: words(status) })),
        },
      ]}
      keyOf={(row) => row.id}
      to={(row) => paths.migrationJob(row.migrationJobId, { execution: row.id })}
      empty={{
        title: 'No copies yet',
        text: 'Every copy and trial appears here, with what it read and what it changed.',
      }}
    />
  );
}

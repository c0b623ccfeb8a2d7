import type { MigrationJob } from '@svc/contract';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { Outcome } from './executions/outcome.tsx';
import { destinationOf } from './job-words.ts';
import { migrationJobs } from './requests/migrations.ts';

const columns: readonly Column<MigrationJob>[] = [
  { id: 'name', label: 'Job', sort: 'name', cell: (row) => row.name },
  { id: 'mode', label: 'Mode', width: '104px', from: 640, cell: (row) => <Tag>{row.mode}</Tag> },
  { id: 'from', label: 'From', width: '18%', from: 800, cell: (row) => row.dataSourceName },
  { id: 'to', label: 'To', width: '24%', from: 640, cell: (row) => <code>{destinationOf(row)}</code> },
  {
    id: 'last',
    label: 'Last copy',
    width: '136px',
    cell: (row) =>
      row.lastExecution ? (
        <Outcome status={row.lastExecution.status} />
      ) : (
        <span className="soft">None yet</span>
      ),
  },
  {
    id: 'when',
    label: 'When',
    width: '112px',
    align: 'right',
    from: 480,
    cell: (row) => row.lastExecution && <Time at={row.lastExecution.createdTime} isQuiet />,
  },
];

const add = (
  <LinkButton to={paths.newMigrationJob()} variant="filled">
    New job
  </LinkButton>
);

export function JobsPage() {
  return (
    <ListPage
      id="migration-jobs"
      title="Data migration"
      hasHelp
      icon="migration"
      searchLabel="Search by name"
      read={migrationJobs}
      columns={columns}
      keyOf={(row) => row.id}
      to={(row) => paths.migrationJob(row.id)}
      action={
        <>
          <LinkButton to={paths.migrationHistory()}>History</LinkButton>
          {add}
        </>
      }
      empty={{
        title: 'No migration jobs yet',
        text: 'A job copies a table, or what a query answers, into a table of another data source, by one commit. An Admin has to allow writes to the destination, on the page of that data source.',
        action: add,
      }}
    />
  );
}

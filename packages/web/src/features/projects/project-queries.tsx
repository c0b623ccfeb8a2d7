import type { QueryListItem } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { queries } from '../../requests/queries.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Table } from '../../ui/list/table.tsx';
import { Time } from '../../ui/text/time.tsx';

const shown = 20;
const columns: readonly Column<QueryListItem>[] = [
  { id: 'name', label: 'Name', cell: (row) => row.name },
  {
    id: 'sources',
    label: 'Reads',
    width: '200px',
    from: 640,
    cell: (row) => row.dataSourceNames.join(', '),
  },
  {
    id: 'subscriptions',
    label: 'Subscriptions',
    width: '112px',
    align: 'right',
    from: 480,
    cell: (row) => <span className="mono">{row.subscriptionCount}</span>,
  },
  {
    id: 'updated',
    label: 'Updated',
    width: '128px',
    align: 'right',
    cell: (row) => <Time at={row.updatedAt} isQuiet />,
  },
];

/** Queries of a project, most recently changed first. */
export function ProjectQueries({ id, canWrite }: { readonly id: number; readonly canWrite: boolean }) {
  const list = useQuery(queries({ projectId: id, pageSize: String(shown), sort: '-updatedAt' }));
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0) {
    return (
      <Empty
        icon="query"
        title="No query yet"
        action={
          canWrite ? (
            <LinkButton to={paths.newQuery({ projectId: id })} variant="filled">
              New query
            </LinkButton>
          ) : undefined
        }
      >
        A query is SQL with a name. People can subscribe to it, and get an alert when its result changes.
      </Empty>
    );
  }
  return (
    <>
      <Table
        label="Queries"
        columns={columns}
        rows={list.data?.items}
        keyOf={(row) => row.id}
        to={(row) => paths.query(row.id)}
      />
      {(list.data?.totalCount ?? 0) > shown && (
        <p>
          <Link to={paths.queries({ projectId: id })}>
            All {plural(list.data?.totalCount ?? 0, 'query', 'queries')} of this project
          </Link>
        </p>
      )}
    </>
  );
}

import type { QueryListItem } from '@svc/contract';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { dataSource, findDataSources } from '../../requests/data-sources.ts';
import { findProjects, project } from '../../requests/projects.ts';
import { queries } from '../../requests/queries.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';

const columns: readonly Column<QueryListItem>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: (row) => (
      <>
        {row.name} {row.isLocked && <Tag>Locked</Tag>}
      </>
    ),
  },
  { id: 'project', label: 'Project', width: '168px', from: 480, cell: (row) => row.projectName },
  { id: 'sources', label: 'Reads', width: '192px', from: 800, cell: (row) => row.dataSourceNames.join(', ') },
  {
    id: 'subscriptions',
    label: 'Subscriptions',
    width: '112px',
    align: 'right',
    from: 640,
    cell: (row) => <span className="mono">{row.subscriptionCount}</span>,
  },
  {
    id: 'updated',
    label: 'Changed',
    sort: 'updatedAt',
    width: '120px',
    align: 'right',
    cell: (row) => <Time at={row.updatedAt} isQuiet />,
  },
  {
    id: 'created',
    label: 'Created',
    sort: 'createdTime',
    width: '120px',
    align: 'right',
    from: 960,
    isExtra: true,
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
];

const numberOf = (text: string | undefined): number | undefined => Number(text) || undefined;

const read = ({ projectId, dataSourceId, ...state }: ListState) =>
  queries({
    ...state,
    ...(numberOf(projectId) && { projectId: Number(projectId) }),
    ...(numberOf(dataSourceId) && { dataSourceId: Number(dataSourceId) }),
  });

/** All queries that the reader may see. */
export function QueriesPage() {
  const { canWrite } = useRights();
  const create = (
    <LinkButton to={paths.newQuery()} variant="filled">
      New query
    </LinkButton>
  );
  return (
    <ListPage
      id="queries"
      title="Queries"
      icon="query"
      searchLabel="Search queries"
      read={read}
      columns={columns}
      filters={[
        { name: 'projectId', label: 'Project', find: findProjects, one: project },
        { name: 'dataSourceId', label: 'Data source', find: findDataSources, one: dataSource },
      ]}
      keyOf={(row) => row.id}
      to={(row) => paths.query(row.id)}
      action={canWrite ? create : undefined}
      empty={{
        title: 'No query yet',
        text: 'A query is SQL with a name. Run it here, and subscribe people to it, so that they are told when its result changes.',
        action: canWrite ? create : undefined,
      }}
    />
  );
}

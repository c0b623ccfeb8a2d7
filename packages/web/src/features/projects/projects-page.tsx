import type { ProjectListItem } from '@svc/contract';
import { useRights } from '../../access/use-rights.ts';
import { count } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { projects } from '../../requests/projects.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { AccessModeLabel } from './access-mode.tsx';

const columns: readonly Column<ProjectListItem>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: (row) => (
      <>
        {row.name} {row.isDemo && <Tag>Demo</Tag>}
      </>
    ),
  },
  {
    id: 'access',
    label: 'Access',
    width: '120px',
    from: 480,
    cell: (row) => <AccessModeLabel mode={row.accessMode} />,
  },
  { id: 'right', label: 'You may', width: '96px', from: 640, cell: (row) => row.right },
  {
    id: 'sources',
    label: 'Data sources',
    width: '112px',
    align: 'right',
    from: 640,
    cell: (row) => <span className="mono">{count(row.dataSourceCount)}</span>,
  },
  {
    id: 'queries',
    label: 'Queries',
    width: '88px',
    align: 'right',
    cell: (row) => <span className="mono">{count(row.queryCount)}</span>,
  },
  {
    id: 'updated',
    label: 'Updated',
    sort: 'updatedAt',
    width: '128px',
    align: 'right',
    from: 480,
    cell: (row) => <Time at={row.updatedAt} isQuiet />,
  },
  {
    id: 'created',
    label: 'Created',
    sort: 'createdTime',
    width: '128px',
    align: 'right',
    from: 800,
    isExtra: true,
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
];

/** Projects that the user may read. */
export function ProjectsPage() {
  const { canWrite } = useRights();
  const create = (
    <LinkButton to={paths.newProject()} variant="filled">
      New project
    </LinkButton>
  );
  return (
    <ListPage
      id="projects"
      title="Projects"
      icon="project"
      searchLabel="Search projects"
      read={projects}
      columns={columns}
      keyOf={(row) => row.id}
      to={(row) => paths.project(row.id)}
      action={canWrite ? create : undefined}
      empty={{
        title: 'No project yet',
        text: 'A project groups queries with the data sources that they read, and says who may see and change them.',
        action: canWrite ? create : undefined,
      }}
    />
  );
}

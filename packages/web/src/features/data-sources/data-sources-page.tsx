import type { DataSource } from '@svc/contract';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { dataSources } from '../../requests/data-sources.ts';
import { useAddress } from '../../ui/frame/address.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import type { Column } from '../../ui/list/columns.ts';
import type { Filter } from '../../ui/list/filter-chips.tsx';
import { ListPage } from '../../ui/list/list-page.tsx';
import { Status, Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { NewDataSource } from './new/new-data-source.tsx';
import { SourceMenu } from './source-menu.tsx';

const columns: readonly Column<DataSource>[] = [
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
  { id: 'engine', label: 'Engine', sort: 'engine', width: '120px', cell: (row) => row.engine },
  {
    id: 'state',
    label: 'Connection',
    width: '152px',
    from: 640,
    cell: (row) => {
      if (row.needsConnection) return <Status tone="red">Enter it again</Status>;
      if (row.warnings.length > 0) return <Status tone="amber">Privileged login</Status>;
      return <Status tone="green">Saved</Status>;
    },
  },
  {
    id: 'queries',
    label: 'Queries',
    width: '80px',
    align: 'right',
    from: 480,
    cell: (row) => <span className="mono">{row.queryCount}</span>,
  },
  {
    id: 'updated',
    label: 'Updated',
    sort: 'updatedAt',
    width: '120px',
    align: 'right',
    from: 480,
    cell: (row) => <Time at={row.updatedAt} isQuiet />,
  },
];

const warningFilter: Filter = {
  name: 'hasWarnings',
  label: 'Warnings',
  options: [
    { value: 'true', label: 'With a warning' },
    { value: 'false', label: 'Without' },
  ],
};

/** Data sources that the user can read, and the link that connects a new one. */
export function DataSourcesPage() {
  const rights = useRights();
  const [{ new: isNew }] = useAddress();
  const canAdd = holds(rights, 'DataSourceAdmin');
  if (isNew !== undefined && canAdd) return <NewDataSource />;
  const connect = (
    <LinkButton to={paths.dataSources({ new: 'yes' })} variant="filled">
      Connect a data source
    </LinkButton>
  );
  return (
    <ListPage
      id="data-sources"
      title="Data sources"
      hasHelp
      icon="source"
      searchLabel="Search data sources"
      read={dataSources}
      columns={columns}
      keyOf={(row) => row.id}
      {...(rights.canRead && { to: (row: DataSource) => paths.dataSource(row.id) })}
      action={canAdd ? connect : undefined}
      {...(canAdd && { filters: [warningFilter] })}
      {...(canAdd && { rowActions: (row: DataSource) => <SourceMenu record={row} isInRow /> })}
      empty={{
        title: 'No data sources yet',
        text: canAdd
          ? 'A data source is a database or a file that queries read. Connect one, then link it to a project.'
          : 'A data source is a database or a file that queries read. Somebody with the permission DataSourceAdmin connects it; you see it once it is linked to a project of yours.',
        action: canAdd ? connect : undefined,
      }}
    />
  );
}

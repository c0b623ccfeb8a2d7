import { Button } from '@mantine/core';
import { type QueryListItem, queriesMovedMax } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../access/use-rights.ts';
import { plural } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { dataSource, findDataSources } from '../../requests/data-sources.ts';
import { findProjects, project } from '../../requests/projects.ts';
import { queries } from '../../requests/queries.ts';
import { useAddress } from '../../ui/frame/address.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import type { Column } from '../../ui/list/columns.ts';
import type { Filter } from '../../ui/list/filter-chips.tsx';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import type { Selection } from '../../ui/list/selection.ts';
import { Status, Tag } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { MoveQueriesDialog } from './folders/folder-dialogs.tsx';
import { FolderTree } from './folders/folder-tree.tsx';
import type { TreeChoice } from './folders/tree.tsx';
import { allFolders, findFolders, folder } from './requests/folders.ts';

const columns: readonly Column<QueryListItem>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: (row) => (
      <>
        {row.name} {row.isLocked && <Tag>Locked</Tag>}
        {row.check?.verdict === 'Failed' && <Status tone="red">Broken</Status>}
      </>
    ),
  },
  { id: 'project', label: 'Project', width: '168px', from: 480, cell: (row) => row.projectName },
  { id: 'sources', label: 'Reads', width: '192px', from: 800, cell: (row) => row.dataSourceNames.join(', ') },
  { id: 'folder', label: 'Folder', width: '168px', from: 800, isExtra: true, cell: (row) => row.folderPath },
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
    label: 'Updated',
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

const read = ({ projectId, dataSourceId, folderId, ...state }: ListState) =>
  queries({
    ...state,
    ...(numberOf(projectId) && { projectId: Number(projectId) }),
    ...(numberOf(folderId) && { folderId: Number(folderId) }),
    ...(numberOf(dataSourceId) && { dataSourceId: Number(dataSourceId) }),
  });

type MoveProps = { readonly selectedRows: readonly QueryListItem[]; readonly onMove: () => void };

function MoveButton({ selectedRows, onMove }: MoveProps) {
  const isOneProject = new Set(selectedRows.map((row) => row.projectId)).size === 1;
  const why = isOneProject
    ? selectedRows.length > queriesMovedMax
      ? `At most ${queriesMovedMax} move at once.`
      : undefined
    : 'Queries of several projects have no folder in common.';
  return (
    <Button disabled={why !== undefined} title={why} onClick={onMove}>
      {`Move ${plural(selectedRows.length, 'query', 'queries')}`}
    </Button>
  );
}

const filtersOf = (projectId: number | undefined): readonly Filter[] => [
  { name: 'projectId', label: 'Project', find: findProjects, one: project, within: ['folderId'] },
  { name: 'folderId', label: 'Folder', find: findFolders(projectId), one: folder },
  { name: 'dataSourceId', label: 'Data source', find: findDataSources, one: dataSource },
  {
    name: 'check',
    label: 'Check',
    options: [
      { value: 'Failed', label: 'Broken' },
      { value: 'Passed', label: 'Can run' },
      { value: 'NotChecked', label: 'Could not be checked' },
    ],
  },
];

/** Queries that the user may read. */
export function QueriesPage() {
  const { canWrite } = useRights();
  const [address, change] = useAddress();
  const folders = useQuery(allFolders());
  const [moved, setMoved] = useState<Selection<QueryListItem> | null>(null);
  const projectId = numberOf(address['projectId']);
  const folderId = numberOf(address['folderId']);
  const inFolder = folders.data?.find(({ id }) => id === folderId);
  const create = canWrite ? (
    <LinkButton
      to={paths.newQuery(inFolder && { projectId: inFolder.projectId, folderId: inFolder.id })}
      variant="filled"
    >
      New query
    </LinkButton>
  ) : undefined;
  const bulk = {
    nameOf: (row: QueryListItem) => row.name,
    acts: (selection: Selection<QueryListItem>) => (
      <MoveButton selectedRows={selection.rows} onMove={() => setMoved(selection)} />
    ),
  };
  const filterBy = (choice: TreeChoice) =>
    change({ projectId: textOf(choice.projectId), folderId: textOf(choice.folderId), page: undefined });
  return (
    <ListPage
      id="queries"
      title="Queries"
      icon="query"
      searchLabel="Search queries"
      read={read}
      columns={columns}
      filters={filtersOf(projectId)}
      keyOf={(row) => row.id}
      to={(row) => paths.query(row.id)}
      action={create}
      bulk={canWrite ? bulk : undefined}
      side={
        <FolderTree
          folders={folders.data}
          error={folders.error}
          onRetry={() => void folders.refetch()}
          choice={{ projectId, folderId }}
          onChoose={filterBy}
          canWrite={canWrite}
        />
      }
      empty={{
        title: 'No query yet',
        text: 'A query is SQL with a name. Run it here, and subscribe people to it, so that they get an alert when its result changes.',
        action: create,
      }}
    >
      {moved && (
        <MoveQueriesDialog queries={moved.rows} onMoved={moved.clear} onClose={() => setMoved(null)} />
      )}
    </ListPage>
  );
}

const textOf = (id: number | undefined): string | undefined => (id === undefined ? undefined : String(id));

import { Button, TextInput } from '@mantine/core';
import type { CodeReference, Repository } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { count, plural, words } from '../../../lib/format.ts';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { Table } from '../../../ui/list/table.tsx';
import { Status } from '../../../ui/record/status.tsx';
import { Time } from '../../../ui/text/time.tsx';
import classes from '../documents/project-documents.module.css';
import { codeReferences, repositories } from '../requests/repositories.ts';
import { AddRepositoryDialog } from './repository-dialogs.tsx';
import { RepositoryMenu } from './repository-menu.tsx';
import { scanFailureTexts } from './scan-failures.ts';

const shown = 200;
/** Poll interval while a scan is in progress. */
const lookAgainMs = 2_000;
const isUnderWay = ({ scanStatus }: Repository): boolean =>
  scanStatus === 'Waiting' || scanStatus === 'Scanning';

type Props = { readonly id: number; readonly canWrite: boolean };

/** Repositories of the project's code, and the code lines that name tables. */
export function ProjectCode({ id, canWrite }: Props) {
  const [isAdding, setAdding] = useState(false);
  const list = useQuery({
    ...repositories(id),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? lookAgainMs : false),
  });
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  const add = canWrite && <Button onClick={() => setAdding(true)}>Add repository</Button>;
  const dialog = isAdding && <AddRepositoryDialog projectId={id} onClose={() => setAdding(false)} />;
  if (list.data?.totalCount === 0)
    return (
      <>
        <Empty icon="source" title="No repositories" action={add || undefined}>
          A scan finds the lines of your code that read or write the tables of this project, so that whoever
          changes a table knows what it breaks.
        </Empty>
        {dialog}
      </>
    );
  return (
    <>
      {add && <div className="row">{add}</div>}
      <Table
        label="Repositories"
        columns={repositoryColumns}
        rows={list.data?.items}
        keyOf={(row) => row.id}
        {...(canWrite && { actions: (row: Repository) => <RepositoryMenu record={row} /> })}
      />
      <References id={id} lastScan={list.data?.items.map(({ scannedAt }) => scannedAt).join() ?? ''} />
      {dialog}
    </>
  );
}

const repositoryColumns: readonly Column<Repository>[] = [
  {
    id: 'name',
    label: 'Repository',
    cell: (row) => (
      <>
        {row.name} <span className="soft">{row.branch}</span>
        <div className="soft">{row.url}</div>
      </>
    ),
  },
  { id: 'state', label: 'Scan', width: '168px', cell: (row) => <ScanState row={row} /> },
  {
    id: 'references',
    label: 'Lines',
    width: '88px',
    align: 'right',
    from: 640,
    cell: (row) => <span className="mono">{count(row.referenceCount)}</span>,
  },
  {
    id: 'scanned',
    label: 'Scanned',
    width: '128px',
    align: 'right',
    from: 800,
    cell: (row) => (row.scannedAt === null ? null : <Time at={row.scannedAt} isQuiet />),
  },
];

function ScanState({ row }: { readonly row: Repository }) {
  switch (row.scanStatus) {
    case 'NotScanned':
      return <Status tone="neutral">Not scanned yet</Status>;
    case 'Waiting':
      return <Status tone="blue">Waiting</Status>;
    case 'Scanning':
      return <Status tone="blue">Reading the code</Status>;
    case 'Completed':
      return (
        <>
          <Status tone={row.isCut ? 'amber' : 'green'}>{row.isCut ? 'Partly read' : 'Read'}</Status>
          <div className="soft">{plural(row.fileCount ?? 0, 'file')}</div>
        </>
      );
    case 'Failed':
      return (
        <>
          <Status tone="red">Failed</Status>
          {row.scanFailure !== null && <div className="soft">{scanFailureTexts[row.scanFailure]}</div>}
        </>
      );
  }
}

function References({ id, lastScan }: { readonly id: number; readonly lastScan: string }) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const list = useQuery({
    ...codeReferences(id, { pageSize: String(shown), ...(search && { search }) }),
    // A finished scan changes the key, so that its results load.
    queryHash: `code-references ${id} ${search} ${lastScan}`,
  });
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data?.totalCount === 0 && search === '') return null;
  return (
    <section className="stack-tight" aria-label="Lines that name tables">
      <h2>Lines that name tables</h2>
      <TextInput
        className={classes['search'] ?? ''}
        label="Search lines"
        placeholder="Path, table or text"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Table
        label="Lines that name tables"
        columns={referenceColumns}
        rows={list.data?.items}
        keyOf={(row) => row.id}
      />
      {list.data?.totalCount === 0 && <p>No line holds “{search}”.</p>}
      {(list.data?.totalCount ?? 0) > shown && (
        <p>
          The first {shown} of {count(list.data?.totalCount ?? 0)}. Search for the others.
        </p>
      )}
    </section>
  );
}

const referenceColumns: readonly Column<CodeReference>[] = [
  { id: 'table', label: 'Table', width: '160px', cell: (row) => <code>{row.table}</code> },
  {
    id: 'place',
    label: 'Place',
    cell: (row) => (
      <>
        <code>
          {row.path}:{row.line}
        </code>
        <div className="soft">{row.snippet ?? 'Not shown: the line may hold a secret.'}</div>
      </>
    ),
  },
  {
    id: 'kind',
    label: 'Kind',
    width: '112px',
    from: 640,
    cell: (row) => (row.kind === 'RawSql' ? 'SQL' : words(row.kind)),
  },
  { id: 'repository', label: 'Repository', width: '160px', from: 800, cell: (row) => row.repositoryName },
];

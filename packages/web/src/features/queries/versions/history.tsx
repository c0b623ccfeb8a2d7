import type { Query, QueryChange } from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { Link } from '../../../ui/frame/link.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { Pager } from '../../../ui/list/pager.tsx';
import { Table } from '../../../ui/list/table.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { queryChanges } from '../requests/versions.ts';
import { partsText, VersionStatus } from './version-words.tsx';

const pageSize = 50;

/** History of the query, newest first, with author and reason. */
export function History({ record }: { readonly record: Query }) {
  const [page, setPage] = useState(0);
  const list = useQuery({
    ...queryChanges(record.id, { page: String(page), pageSize: String(pageSize) }),
    placeholderData: keepPreviousData,
  });
  if (list.isLoadingError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <>
      <Table
        label="History of the query"
        columns={columnsOf(record.id)}
        rows={list.data?.items}
        isStale={list.isPlaceholderData}
        keyOf={(row) => `${row.kind} ${row.id}`}
      />
      {list.data && (
        <Pager
          page={page}
          shownPage={page}
          shownPageSize={pageSize}
          pageCount={list.data.pageCount}
          totalCount={list.data.totalCount}
          onPage={setPage}
        />
      )}
    </>
  );
}

const acts: Readonly<Record<Exclude<QueryChange['kind'], 'Version'>, string>> = {
  Locked: 'Locked for AI actors',
  Unlocked: 'Unlocked',
  Moved: 'Moved to another folder',
  Published: 'Published to AI clients',
  Unpublished: 'Unpublished',
};

function whatOf({ kind, source, versionNumber, parts }: QueryChange): string {
  if (kind !== 'Version') return acts[kind];
  if (source === 'Restore') return 'Restored an earlier version';
  if (parts.length > 0) return `Changed ${partsText(parts)}`;
  return versionNumber === 1 ? 'Created' : 'Saved';
}

function columnsOf(queryId: number): readonly Column<QueryChange>[] {
  return [
    {
      id: 'what',
      label: 'What',
      cell: (row) => (
        <>
          {whatOf(row)}
          {row.reason !== null && <div className="soft">{row.reason}</div>}
        </>
      ),
    },
    {
      id: 'version',
      label: 'Version',
      width: '96px',
      cell: (row) =>
        row.versionId === null ? null : (
          <Link to={paths.queryVersion(queryId, row.versionId)}>{`${row.versionNumber}`}</Link>
        ),
    },
    {
      id: 'status',
      label: 'Status',
      width: '168px',
      from: 640,
      cell: (row) =>
        row.status === null ? null : (
          <>
            <VersionStatus status={row.status} />
            {row.decidedByUserName !== null && <div className="soft">by {row.decidedByUserName}</div>}
          </>
        ),
    },
    {
      id: 'who',
      label: 'By',
      width: '144px',
      from: 480,
      cell: (row) => row.byUserName ?? <span className="soft">The service</span>,
    },
    {
      id: 'at',
      label: 'When',
      width: '120px',
      align: 'right',
      cell: (row) => <Time at={row.at} isQuiet />,
    },
  ];
}

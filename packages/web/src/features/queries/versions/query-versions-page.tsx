import type { Query, QueryVersionListItem } from '@svc/contract';
import { paths } from '../../../lib/paths.ts';
import { notFoundProblem } from '../../../lib/problem.ts';
import { query } from '../../../requests/queries.ts';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { Record, useIdParam } from '../../../ui/record/record.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { versions } from '../requests/versions.ts';
import { changeText, VersionStatus } from './version-words.tsx';

const columns: readonly Column<QueryVersionListItem>[] = [
  {
    id: 'number',
    label: 'Version',
    width: '96px',
    cell: (row) => <span className="mono">{row.versionNumber}</span>,
  },
  { id: 'what', label: 'What', cell: changeText },
  {
    id: 'why',
    label: 'Why',
    from: 960,
    cell: (row) => row.changeReason ?? <span className="soft">None</span>,
  },
  {
    id: 'who',
    label: 'By',
    width: '144px',
    from: 640,
    cell: (row) => row.createdByUserName ?? <span className="soft">The service</span>,
  },
  {
    id: 'status',
    label: 'Status',
    width: '144px',
    from: 480,
    cell: (row) => <VersionStatus status={row.status} />,
  },
  {
    id: 'at',
    label: 'Saved',
    width: '120px',
    align: 'right',
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
];

/** All versions of a query, with author, time and reason. */
export function QueryVersionsPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={query(id)}>{(record) => <Versions record={record} />}</Record>;
}

function Versions({ record }: { readonly record: Query }) {
  return (
    <ListPage
      id="query-versions"
      title="Versions"
      parent={{ to: paths.query(record.id), label: record.name }}
      icon="query"
      read={(state) => versions(record.id, state)}
      columns={columns}
      keyOf={(row) => row.id}
      to={(row) => paths.queryVersion(record.id, row.id)}
      empty={{ title: 'No versions yet', text: 'Each save that changes the query makes one.' }}
    />
  );
}

import type { AdminApiKey, ApiKey } from '@svc/contract';
import { dateOnly, plural } from '../../lib/format.ts';
import type { Column } from '../../ui/list/columns.ts';
import { Status } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';

type AnyKey = ApiKey | AdminApiKey;

function Expiry({ row }: { readonly row: AnyKey }) {
  if (row.isExpired) return <Status tone="red">Expired</Status>;
  if (row.expiresAt === null) return 'Never';
  const day = dateOnly(row.expiresAt);
  return row.endsWithinDays === null ? day : <Status tone="amber">{day}</Status>;
}

function KeyState({ row }: { readonly row: AnyKey }) {
  if ('status' in row) {
    const tone = row.status === 'Active' ? 'green' : row.status === 'Revoked' ? 'red' : 'neutral';
    return <Status tone={tone}>{row.status}</Status>;
  }
  return <Status tone={row.isActive ? 'green' : 'neutral'}>{row.isActive ? 'Active' : 'Inactive'}</Status>;
}

export const keyColumns: readonly Column<AnyKey>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: (row) => <strong style={{ fontWeight: 600 }}>{row.name}</strong>,
  },
  { id: 'prefix', label: 'Prefix', width: '152px', from: 800, cell: (row) => <code>{row.prefix}</code> },
  { id: 'scopes', label: 'Scopes', width: '120px', from: 480, cell: (row) => row.scopes.join(', ') },
  {
    id: 'projects',
    label: 'Projects',
    width: '96px',
    from: 960,
    cell: (row) => (row.allowedProjectIds === null ? '' : plural(row.allowedProjectIds.length, 'project')),
  },
  {
    id: 'created',
    label: 'Created',
    sort: 'createdTime',
    width: '112px',
    align: 'right',
    from: 960,
    cell: (row) => <Time at={row.createdTime} isQuiet />,
  },
  {
    id: 'used',
    label: 'Last used',
    sort: 'lastUsedAt',
    width: '104px',
    from: 640,
    cell: (row) => (row.lastUsedAt === null ? 'Never' : <Time at={row.lastUsedAt} isQuiet />),
  },
  {
    id: 'expires',
    label: 'Expires',
    sort: 'expiresAt',
    width: '112px',
    from: 480,
    cell: (row) => <Expiry row={row} />,
  },
  { id: 'state', label: 'Status', width: '96px', cell: (row) => <KeyState row={row} /> },
];

import type { Session } from '@svc/contract';
import { words } from '../../lib/format.ts';
import type { Column } from '../../ui/list/columns.ts';
import { Time } from '../../ui/text/time.tsx';

export const sessionColumns: readonly Column<Session>[] = [
  {
    id: 'browser',
    label: 'Browser',
    cell: (row) => (
      <>
        {browserOf(row.userAgent)} {row.isCurrent && <strong>(this one)</strong>}
      </>
    ),
  },
  { id: 'method', label: 'By', width: '112px', from: 480, cell: (row) => words(row.authMethod) },
  {
    id: 'seen',
    label: 'Last seen',
    width: '112px',
    align: 'right',
    cell: (row) => <Time at={row.lastSeenAt} isQuiet />,
  },
  {
    id: 'expires',
    label: 'Ends',
    width: '112px',
    align: 'right',
    from: 480,
    cell: (row) => <Time at={row.expiresAt} isQuiet />,
  },
];

/** Returns the name of the browser and its system, as far as its user agent identifies them. */
function browserOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser';
  const [, name = 'Browser'] = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent) ?? [];
  const [, system = ''] = /(Windows|Macintosh|Android|iPhone|iPad|Linux)/.exec(userAgent) ?? [];
  const names: Readonly<{ [word: string]: string }> = { Edg: 'Edge', OPR: 'Opera', Macintosh: 'macOS' };
  return [names[name] ?? name, names[system] ?? system].filter((part) => part !== '').join(' on ');
}

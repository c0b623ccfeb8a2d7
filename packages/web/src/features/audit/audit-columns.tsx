import type { AuditEntry } from '@svc/contract';
import { words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/frame/link.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { Time } from '../../ui/text/time.tsx';
import { eventWords } from './audit-filters.ts';
import classes from './audit-page.module.css';

const actorWords: Readonly<{ [kind in AuditEntry['actorKind']]: string }> = {
  user: 'A person of the host',
  api_key: 'An API key',
  mcp_caller: 'An AI client',
  ai_actor: 'An AI actor',
  system: 'The service itself',
  anonymous: 'Nobody signed in',
};

/** Who did it, in words. */
export function actorOf(entry: AuditEntry): string {
  const name = entry.actorUserName ?? (entry.actorUserId === null ? null : `User ${entry.actorUserId}`);
  if (entry.actorKind === 'api_key') return name === null ? 'An API key' : `API key of ${name}`;
  return name ?? actorWords[entry.actorKind];
}

/** What it was done to: "API key 12". */
export const subjectOf = ({ subjectKind, subjectId }: AuditEntry): string =>
  subjectKind === null
    ? ''
    : `${words(subjectKind.replaceAll('_', ' '))}${subjectId === null ? '' : ` ${subjectId}`}`;

/** The columns of the list; `open` shows an entry whole. */
export const auditColumns = (open: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  {
    id: 'event',
    label: 'Event',
    sort: 'event',
    cell: (row) => (
      <button type="button" className={classes['entry']} onClick={() => open(row)} data-row-link>
        {eventWords(row.event)}
      </button>
    ),
  },
  {
    id: 'family',
    label: 'Name',
    width: '280px',
    isExtra: true,
    cell: (row) => <code>{row.event}</code>,
  },
  {
    id: 'actor',
    label: 'Who',
    width: '200px',
    from: 480,
    cell: (row) =>
      row.actorUserId === null ? (
        actorOf(row)
      ) : (
        <Link to={paths.audit({ userId: row.actorUserId })}>{actorOf(row)}</Link>
      ),
  },
  { id: 'subject', label: 'On', width: '176px', from: 640, cell: subjectOf },
  {
    id: 'project',
    label: 'Project',
    width: '80px',
    align: 'right',
    from: 960,
    cell: (row) =>
      row.projectId !== null && (
        <Link to={paths.audit({ projectId: row.projectId })} className="mono">
          {row.projectId}
        </Link>
      ),
  },
  {
    id: 'address',
    label: 'From',
    width: '136px',
    from: 800,
    cell: (row) => <span className="mono">{row.clientAddress}</span>,
  },
  {
    id: 'occurred',
    label: 'When',
    sort: 'occurredAt',
    width: '112px',
    align: 'right',
    cell: (row) => <Time at={row.occurredAt} isQuiet />,
  },
];

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

/** Returns a description of the actor of an event. */
export function actorOf(entry: AuditEntry): string {
  const name = entry.actorUserName ?? (entry.actorUserId === null ? null : `User ${entry.actorUserId}`);
  if (entry.actorKind === 'api_key') return name === null ? 'An API key' : `API key of ${name}`;
  return name ?? actorWords[entry.actorKind];
}

/** Page of each kind of subject. */
const pages: Readonly<Record<string, (id: number) => string>> = {
  ai_actor: paths.aiActor,
  data_contract: paths.contract,
  data_source: paths.dataSource,
  migration_job: paths.migrationJob,
  project: paths.project,
  query: paths.query,
  subscription: paths.subscription,
};

/** Subject of an event, such as "Query Delayed orders", with its id. It is a link if the subject has a page. */
export function SubjectOf({ entry }: { readonly entry: AuditEntry }) {
  const { subjectKind, subjectId, subjectName } = entry;
  if (subjectKind === null) return null;
  const kind = words(subjectKind.replaceAll('_', ' '));
  if (subjectId === null) return kind;
  const page = pages[subjectKind];
  return (
    <>
      {kind} {page && subjectName !== null ? <Link to={page(subjectId)}>{subjectName}</Link> : subjectName}{' '}
      <span className="mono soft">{subjectId}</span>
    </>
  );
}

/** Returns the columns of the list. `open` shows all of an entry. */
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
    width: 'clamp(120px, 20cqw, 200px)',
    from: 480,
    cell: (row) =>
      row.actorUserId === null ? (
        actorOf(row)
      ) : (
        <Link to={paths.audit({ userId: row.actorUserId })}>{actorOf(row)}</Link>
      ),
  },
  {
    id: 'subject',
    label: 'On',
    width: 'clamp(152px, 24cqw, 232px)',
    from: 640,
    cell: (row) => <SubjectOf entry={row} />,
  },
  {
    id: 'project',
    label: 'Project',
    width: '152px',
    from: 960,
    cell: (row) =>
      row.projectId !== null && (
        <>
          <Link to={paths.audit({ projectId: row.projectId })}>{row.projectName ?? 'Project'}</Link>{' '}
          <span className="mono soft">{row.projectId}</span>
        </>
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

import type { AuditEntry } from '@svc/contract';
import { paths } from '../../lib/paths.ts';
import { Dialog } from '../../ui/form/dialog.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { Time } from '../../ui/text/time.tsx';
import { actorOf, SubjectOf } from './audit-columns.tsx';
import { eventWords } from './audit-filters.ts';
import classes from './audit-page.module.css';

type Props = { readonly entry: AuditEntry; readonly onClose: () => void };

/** All details of a security event. */
export function EntryDialog({ entry, onClose }: Props) {
  const detail = JSON.stringify(entry.detail, null, 2);
  const facts = [
    { label: 'Event', value: <Link to={paths.audit({ event: entry.event })}>{entry.event}</Link> },
    { label: 'When', value: <Time at={entry.occurredAt} /> },
    { label: 'Who', value: actorOf(entry) },
    ...(entry.apiKeyId === null
      ? []
      : [
          {
            label: 'API key',
            value: (
              <>
                <Link to={paths.audit({ apiKeyId: entry.apiKeyId })}>{entry.apiKeyName ?? 'Key'}</Link>{' '}
                <span className="mono soft">{entry.apiKeyId}</span>
              </>
            ),
          },
        ]),
    { label: 'From', value: <code>{entry.clientAddress ?? 'Not known'}</code> },
    ...(entry.subjectKind === null ? [] : [{ label: 'On', value: <SubjectOf entry={entry} /> }]),
    ...(entry.projectId === null
      ? []
      : [
          {
            label: 'Project',
            value: (
              <>
                {entry.projectName ?? 'Project'} <span className="mono soft">{entry.projectId}</span>
              </>
            ),
          },
        ]),
    ...(entry.traceId === null
      ? []
      : [
          {
            label: 'Trace',
            value: (
              <span className="row">
                <code>{entry.traceId}</code>
                <CopyButton value={entry.traceId} label="Copy trace id" />
              </span>
            ),
          },
        ]),
  ];
  return (
    <Dialog onClose={onClose} title={eventWords(entry.event)} size={600}>
      <div className="stack">
        <Facts facts={facts} />
        {detail !== '{}' && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that keys must reach it
          <section className={classes['detail']} tabIndex={0} aria-label="Detail">
            {detail}
          </section>
        )}
      </div>
    </Dialog>
  );
}

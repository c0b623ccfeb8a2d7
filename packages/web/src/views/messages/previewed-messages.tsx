import type { MessagePreview } from '@svc/contract';
import { plural, words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/frame/link.tsx';
import { Payload } from './payload.tsx';

/** Messages of one run, for each recipient. */
export function PreviewedMessages({ preview }: { readonly preview: MessagePreview }) {
  const { attachment, notificationId, routed } = preview;
  return (
    <div className="stack">
      <p role="status">
        {rowsInWords(preview)} {outcomeInWords(preview)}{' '}
        {routed !== null && routed.unroutedCount !== null && routed.unroutedCount > 0 && (
          <>Nobody gets {plural(routed.unroutedCount, 'more row')}. </>
        )}
        {notificationId !== null && <Link to={paths.notification(notificationId)}>The run</Link>}
        {attachment !== null &&
          ` Mail carries ${attachment.name} with ${plural(attachment.rowCount, 'row')}.`}
      </p>
      {routed?.recipientId !== undefined && routed?.recipientId !== null && preview.payloads.length === 0 && (
        <p className="soft">There is no row for this recipient: it would get nothing.</p>
      )}
      {preview.payloads.map((payload) => {
        const names = payload.recipients.map(({ name }) => name).join(', ');
        const problems = payload.recipients.filter(({ problem }) => problem !== null);
        return (
          <div className="stack" key={payload.recipients.map(({ id }) => id).join()}>
            <p>
              To {names}
              {payload.isSigned && ', signed'}
              {payload.headerNames.length > 0 && `, with the headers ${payload.headerNames.join(', ')}`}
            </p>
            {problems.map(({ id, name, problem }) => (
              <p key={id} role="alert">
                {name} would get nothing: {problem}
              </p>
            ))}
            <Payload payload={payload} label={`Message to ${names}`} />
          </div>
        );
      })}
    </div>
  );
}

function outcomeInWords({ notificationId, outcome }: MessagePreview): string {
  if (notificationId !== null) return 'This is what an earlier run had to send.';
  return outcome === 'Notify'
    ? 'These messages would be sent.'
    : `The run would send nothing: ${words(outcome)}.`;
}

function rowsInWords({ totalRows, routed }: MessagePreview): string {
  if (totalRows !== null) return `${plural(totalRows, 'row')}.`;
  return routed === null ? 'The run timed out.' : 'It has no rows.';
}

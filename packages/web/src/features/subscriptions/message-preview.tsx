import { Button } from '@mantine/core';
import { type MessagePreview, type PreviewSource, previewMessages } from '@svc/contract';
import { count, words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { useChange } from '../../lib/server-state.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Payload } from '../../views/messages/payload.tsx';

/** What each recipient of a subscription would get, before anything leaves. */
export function SubscriptionMessage({ id }: { readonly id: number }) {
  const preview = useChange(previewMessages, { touches: [] });
  const show = (source: PreviewSource) =>
    void preview.mutateAsync({ params: { id }, body: { source } }).catch(() => undefined);
  return (
    <div className="stack">
      <p className="soft">Nothing is sent. Rows are masked as they would be.</p>
      <div className="row wrap">
        <Button loading={preview.isPending} onClick={() => show('DryRun')}>
          Run the query and preview
        </Button>
        <Button loading={preview.isPending} onClick={() => show('LastRun')}>
          Preview the last run
        </Button>
      </div>
      <ProblemNote error={preview.error} />
      {preview.data && <Messages preview={preview.data} />}
    </div>
  );
}

function Messages({ preview }: { readonly preview: MessagePreview }) {
  const { attachment, notificationId } = preview;
  return (
    <div className="stack">
      <p role="status">
        {preview.totalRows === null ? 'The run timed out.' : `${count(preview.totalRows)} rows.`}{' '}
        {preview.outcome === 'Notify'
          ? 'These messages would be sent.'
          : `The run would send nothing: ${words(preview.outcome)}.`}{' '}
        {notificationId !== null && <Link to={paths.notification(notificationId)}>The run</Link>}
        {attachment !== null && ` Mail carries ${attachment.name} with ${count(attachment.rowCount)} rows.`}
      </p>
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

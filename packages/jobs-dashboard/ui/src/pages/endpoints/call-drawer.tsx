import type { CallDetail } from '../../../../src/api/endpoints.ts';
import { duration, exactTime } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import { useCall } from '../../lib/requests.ts';
import { Button, State, Status } from '../../parts/controls.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Link } from '../../parts/link.tsx';
import { notify } from '../../parts/notices.tsx';
import { Code, Empty, Facts, Read, Section } from '../../parts/page.tsx';

type Call = Json<CallDetail>;

const headerText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function Captured({
  title,
  headers,
  body,
}: {
  readonly title: string;
  readonly headers: Call['requestHeaders'];
  readonly body: string | null;
}) {
  return (
    <Section title={title} isFlush>
      {headers === null && body === null ? (
        <Empty title="Not captured" />
      ) : (
        <>
          {headers !== null && <Code label={`${title}: headers`} text={headerText(headers)} />}
          {body !== null && <Code label={`${title}: body`} text={body} />}
        </>
      )}
    </Section>
  );
}

function RelatedJobs({ call }: { readonly call: Call }) {
  return (
    <Section title="Related jobs" actions={<Link to={`/traces/${call.traceId}`}>Show the trace</Link>}>
      {call.relatedJobs.length === 0 ? (
        <p className="soft">The request spawned none.</p>
      ) : (
        <ul className="stack">
          {call.relatedJobs.map((job) => (
            <li key={job.id} className="row wrap">
              <Link to={`/jobs/${job.id}`}>{job.name}</Link>
              <State state={job.state} />
              <span className="soft">{job.queue}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify('green', 'The command was copied.');
  } catch {
    notify('red', 'The browser did not let the page copy. Select the command and copy it.');
  }
}

function Content({ call }: { readonly call: Call }) {
  const tags = Object.entries(call.tags ?? {});
  return (
    <>
      <Facts
        facts={[
          [
            'Outcome',
            <Status key="o" tone={call.outcome === 'Failed' ? 'red' : 'green'}>
              {call.outcome}
            </Status>,
          ],
          ['Status', String(call.statusCode)],
          ['When', exactTime(call.at)],
          ['Duration', duration(call.durationMs)],
          ['User', call.userName],
          ['Caller', call.groupName],
          ['Address', call.remoteIp],
          ['User agent', call.userAgent],
          ['Operation', call.operation],
          call.application === null ? null : ['Application', call.application],
          ['Machine', call.machineName],
          call.exceptionType === null
            ? null
            : ['Exception', `${call.exceptionType}: ${call.exceptionMessage ?? ''}`],
        ]}
      />
      {tags.length > 0 && (
        <Section title="Tags">
          <Facts facts={tags} />
        </Section>
      )}
      <RelatedJobs call={call} />
      <Captured title="Request" headers={call.requestHeaders} body={call.requestBody} />
      <Captured title="Response" headers={call.responseHeaders} body={call.responseBody} />
      <Section
        title="As a command"
        isFlush
        actions={
          <Button size="small" onClick={() => void copy(call.curl)}>
            Copy
          </Button>
        }
      >
        <Code label="Command" text={call.curl} />
      </Section>
    </>
  );
}

/** Drawer with all stored values of one call. */
export function CallDrawer({
  endpointId,
  callId,
  onClose,
}: {
  readonly endpointId: string;
  readonly callId: string;
  readonly onClose: () => void;
}) {
  const call = useCall(endpointId, callId);
  return (
    <Dialog
      isSide
      title={call.data ? `${call.data.method} ${call.data.routeTemplate}` : 'Call'}
      onClose={onClose}
    >
      <Read of={call}>{(data) => <Content call={data} />}</Read>
    </Dialog>
  );
}

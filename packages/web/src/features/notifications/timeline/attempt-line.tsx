import type { RunAttempt } from '@svc/contract';
import { duration, shortTime, size, words } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import { Link } from '../../../ui/frame/link.tsx';
import { Facts } from '../../../ui/record/facts.tsx';
import { toneOfDelivery } from '../../../views/runs/run-status.tsx';
import classes from './run-timeline.module.css';
import { TimelineLine } from './timeline-line.tsx';
import type { Scale } from './timeline-scale.ts';

/** One attempt for one recipient, with the request and the known part of the response. */
export function AttemptLine({ attempt, scale }: { readonly attempt: RunAttempt; readonly scale: Scale }) {
  const { recipientName, state, from, to, request, response } = attempt;
  const isRepeated = attempt.origin !== 'Run' || attempt.attempt > 1;
  const { httpClass } = response;
  const ordered = attempt.orderedBy === null ? '' : `, ordered by ${attempt.orderedBy}`;
  return (
    <TimelineLine
      what={
        <>
          Delivery to <Link to={paths.recipients()}>{recipientName}</Link>
          {isRepeated && `, attempt ${attempt.attempt}${ordered}`}: {words(state).toLowerCase()}
        </>
      }
      at={from}
      took={to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from))}
      bar={to === null ? null : { scale, from, to, tone: toneOfDelivery(state) }}
    >
      <details className={classes['more']}>
        <summary>Request and response</summary>
        <Facts
          facts={[
            { label: 'Sent by', value: words(request.notificationType) },
            { label: 'Size', value: request.bytesSent === null ? 'Not known' : size(request.bytesSent) },
            { label: 'Message', value: <code>{request.messageId}</code> },
            { label: 'Started', value: <span className="mono">{shortTime(from, undefined, true)}</span> },
            ...(httpClass === undefined ? [] : [{ label: 'Answer', value: httpClass ?? 'None' }]),
            { label: 'Reason', value: response.reason ?? (to === null ? 'In progress' : 'None: delivered') },
            ...(response.remoteId === null ? [] : [{ label: 'Made there', value: response.remoteId }]),
            ...(response.retryAfterSeconds === null
              ? []
              : [{ label: 'Asked to wait', value: duration(response.retryAfterSeconds * 1_000) }]),
          ]}
        />
      </details>
    </TimelineLine>
  );
}

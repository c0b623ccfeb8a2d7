import type { RunAttempt, RunTimeline as Timeline } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { needs } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { duration, plural, shortTime, size, words } from '../../lib/format.ts';
import { jobsDashboard } from '../../lib/jobs-dashboard.ts';
import { paths } from '../../lib/paths.ts';
import { ProblemView } from '../../ui/feedback/problem.tsx';
import { Link } from '../../ui/frame/link.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import type { Tone } from '../../ui/record/status.tsx';
import { Time } from '../../ui/text/time.tsx';
import { toneOfDelivery } from '../../views/runs/run-status.tsx';
import { usageWords } from '../../views/runs/step-usage.ts';
import { runTimeline } from './requests/run-timeline.ts';
import classes from './run-timeline.module.css';
import { barOf, type Scale, scaleOf, waitStartOf } from './timeline-scale.ts';

/** Timeline of a run: its request, job, deliveries and changed tasks, each as a bar on one time scale. */
export function RunTimeline({ id }: { readonly id: number }) {
  const timeline = useQuery(runTimeline(id));
  if (timeline.isLoadingError)
    return <ProblemView error={timeline.error} onRetry={() => void timeline.refetch()} />;
  if (!timeline.data) return <div aria-busy="true" />;
  return <Lines timeline={timeline.data} />;
}

function Lines({ timeline }: { readonly timeline: Timeline }) {
  const { request, dueAt, startedAt, waitedMs, statements, maskingMs, attempts, tasks } = timeline;
  const scale = scaleOf(timeline);
  const last = statements.at(-1);
  const queryEnd = last && Date.parse(last.from) + last.durationMs;
  return (
    <ol className={classes['lines']} aria-label="Timeline">
      {request !== null && (
        <Line
          what={
            <>
              <code>{`${request.method} ${request.route}`}</code> by {request.userName ?? 'nobody known'}
            </>
          }
          at={request.at}
        />
      )}
      <JobLine timeline={timeline} />
      <Line
        what="Waited for its turn"
        at={dueAt}
        took={waitedMs}
        bar={
          startedAt === null
            ? null
            : { scale, from: new Date(waitStartOf(timeline)).toISOString(), to: startedAt, tone: 'neutral' }
        }
      />
      {statements.map((statement) => (
        <Line
          key={statement.name}
          what={
            <>
              {`SQL of ${statement.name}`} on{' '}
              <Link to={paths.dataSource(statement.dataSourceId)}>
                {statement.dataSourceName ?? 'a data source that is gone'}
              </Link>
              {statement.outcome === 'Succeeded' ? `: ${plural(statement.rowCount, 'row')}` : ''}
              {usageWords([statement]).map((words) => `, ${words}`)}
              {statement.outcome === 'Failed' ? ', which failed' : ''}
              {statement.outcome === 'NotRun' ? ', which was not run' : ''}
            </>
          }
          at={statement.outcome === 'NotRun' ? null : statement.from}
          took={statement.outcome === 'NotRun' ? null : statement.durationMs}
          bar={
            statement.outcome === 'NotRun'
              ? null
              : {
                  scale,
                  from: statement.from,
                  ms: statement.durationMs,
                  tone: statement.outcome === 'Failed' ? 'red' : 'blue',
                }
          }
        />
      ))}
      {maskingMs !== null && queryEnd !== undefined && (
        <Line
          what="Masked, while the rows came"
          at={null}
          took={maskingMs}
          bar={{ scale, from: new Date(queryEnd - maskingMs).toISOString(), ms: maskingMs, tone: 'amber' }}
        />
      )}
      {attempts.map((attempt) => (
        <AttemptLine key={attempt.deliveryId} attempt={attempt} scale={scale} />
      ))}
      {tasks.map(({ taskId, kind, at }) => (
        <Line
          key={`${taskId} ${kind}`}
          what={
            <>
              <Link to={paths.task(taskId)}>Task</Link> {taskWords(kind)}
            </>
          }
          at={at}
        />
      ))}
    </ol>
  );
}

const taskWords = (kind: Timeline['tasks'][number]['kind']): string =>
  kind === 'CountChanged' ? 'got another row count' : words(kind).toLowerCase();

/** Job and trace of a run. The link requires the right to view background jobs. */
function JobLine({ timeline: { jobId, traceId, startedAt } }: { readonly timeline: Timeline }) {
  const rights = useRights();
  const mayLook = jobsDashboard !== undefined && needs.admin.admits(rights);
  if (jobId === null) return null;
  return (
    <Line
      what={
        mayLook ? (
          <>
            <a href={`${jobsDashboard}/jobs/${jobId}`}>Job</a>
            {traceId !== null && (
              <>
                {' in '}
                <a href={`${jobsDashboard}/traces/${traceId}`}>its trace</a>
              </>
            )}
          </>
        ) : (
          'Job'
        )
      }
      at={startedAt}
    />
  );
}

type Bar = { readonly scale: Scale; readonly from: string; readonly tone: Tone } & (
  | { readonly to: string }
  | { readonly ms: number }
);
type LineProps = {
  readonly what: ReactNode;
  readonly at: string | null;
  readonly took?: number | null;
  readonly bar?: Bar | null;
  readonly children?: ReactNode;
};

function Line({ what, at, took = null, bar = null, children }: LineProps) {
  const drawn =
    bar &&
    barOf(bar.scale, Date.parse(bar.from), 'to' in bar ? Date.parse(bar.to) : Date.parse(bar.from) + bar.ms);
  return (
    <li>
      <div className={classes['line']}>
        <span>{what}</span>
        <span className={classes['track']} aria-hidden="true">
          {bar && drawn && (
            <span
              className={classes['bar']}
              data-tone={bar.tone}
              data-cut={drawn.isCut}
              style={{ left: `${drawn.left}%`, width: `${drawn.width}%` }}
            />
          )}
        </span>
        <span className={`mono ${classes['took']}`}>{took === null ? '' : duration(took)}</span>
        <span className={classes['at']}>{at !== null && <Time at={at} isQuiet />}</span>
      </div>
      {children}
    </li>
  );
}

/** One attempt for one recipient, with the request and the known part of the response. */
function AttemptLine({ attempt, scale }: { readonly attempt: RunAttempt; readonly scale: Scale }) {
  const { recipientName, state, from, to, request, response } = attempt;
  const isRepeated = attempt.origin !== 'Run' || attempt.attempt > 1;
  const { httpClass } = response;
  const ordered = attempt.orderedBy === null ? '' : `, ordered by ${attempt.orderedBy}`;
  return (
    <Line
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
    </Line>
  );
}

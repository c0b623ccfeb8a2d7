import type { RunTimeline as Timeline } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { needs } from '../../../access/rights.ts';
import { useRights } from '../../../access/use-rights.ts';
import { plural, words } from '../../../lib/format.ts';
import { jobsDashboard } from '../../../lib/jobs-dashboard.ts';
import { paths } from '../../../lib/paths.ts';
import { ProblemView } from '../../../ui/feedback/problem.tsx';
import { Link } from '../../../ui/frame/link.tsx';
import { usageWords } from '../../../views/runs/step-usage.ts';
import { runTimeline } from '../requests/run-timeline.ts';
import { AttemptLine } from './attempt-line.tsx';
import classes from './run-timeline.module.css';
import { TimelineLine } from './timeline-line.tsx';
import { type Scale, scaleOf, waitStartOf } from './timeline-scale.ts';

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
        <TimelineLine
          what={
            <>
              <code>{`${request.method} ${request.route}`}</code> by {request.userName ?? 'nobody known'}
            </>
          }
          at={request.at}
        />
      )}
      <JobLine timeline={timeline} />
      <TimelineLine
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
        <StatementLine key={statement.name} statement={statement} scale={scale} />
      ))}
      {maskingMs !== null && queryEnd !== undefined && (
        <TimelineLine
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
        <TimelineLine
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

type StatementProps = {
  readonly statement: Timeline['statements'][number];
  readonly scale: Scale;
};

/** Statement of the query, with its rows or its failure. */
function StatementLine({ statement, scale }: StatementProps) {
  const { outcome, from, durationMs } = statement;
  const what = (
    <>
      {`SQL of ${statement.name}`} on{' '}
      <Link to={paths.dataSource(statement.dataSourceId)}>
        {statement.dataSourceName ?? 'a data source that is gone'}
      </Link>
      {outcome === 'Succeeded' ? `: ${plural(statement.rowCount, 'row')}` : ''}
      {usageWords([statement]).map((words) => `, ${words}`)}
      {outcome === 'Failed' ? ', which failed' : ''}
      {outcome === 'NotRun' ? ', which was not run' : ''}
    </>
  );
  if (outcome === 'NotRun') return <TimelineLine what={what} at={null} />;
  const tone = outcome === 'Failed' ? 'red' : 'blue';
  return <TimelineLine what={what} at={from} took={durationMs} bar={{ scale, from, ms: durationMs, tone }} />;
}

const taskWords = (kind: Timeline['tasks'][number]['kind']): string =>
  kind === 'CountChanged' ? 'got another row count' : words(kind).toLowerCase();

/** Job and trace of a run. The link requires the right to view background jobs. */
function JobLine({ timeline: { jobId, traceId, startedAt } }: { readonly timeline: Timeline }) {
  const rights = useRights();
  const canViewJobs = jobsDashboard !== undefined && needs.admin.admits(rights);
  if (jobId === null) return null;
  return (
    <TimelineLine
      what={
        canViewJobs ? (
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

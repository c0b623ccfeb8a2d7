import {
  currentJobContext,
  type JobHandler,
  type JobRun,
  type Jobs,
  parentSpanIn,
  runInJobContext,
} from '@svc/jobs';
import { recordedSpan, type Telemetry } from '../telemetry/index.ts';

/** Trace id of a job in the form that spans have: 32 hexadecimal digits. */
const hexOf = (uuid: string): string => uuid.replaceAll('-', '');

/**
 * The trace, as 32 hexadecimal digits, of the job in whose course this is called; undefined outside jobs. The id
 * generator of a host's SDK asks it, so that the spans of a job that nobody's span started carry the job's own trace.
 */
export function currentTraceId(): string | undefined {
  const traceId = currentJobContext()?.traceId;
  return traceId === undefined ? undefined : hexOf(traceId);
}

/** Gives each attempt at a job a span below the request or job that enqueued it. */
export function traceJobs(jobs: Jobs, telemetry: Telemetry | undefined): Jobs {
  if (!telemetry) return jobs;
  return {
    ...jobs,
    handle: (job, handler) => jobs.handle(job, tracedHandler(telemetry, job.name, handler)),
  };
}

function tracedHandler<T>(telemetry: Telemetry, name: string, handler: JobHandler<T>): JobHandler<T> {
  return (payload, run) =>
    telemetry.inSpan(`job ${name}`, factsOf(name, run), async (span) => {
      const spanId = recordedSpan(span)?.spanId;
      const context = {
        ...currentJobContext(),
        traceId: run.traceId,
        ...(spanId !== undefined && { spanId }),
      };
      await runInJobContext(context, async () => handler(payload, run));
    });
}

function factsOf(name: string, run: JobRun) {
  const spanId = parentSpanIn(run.metadata);
  return {
    kind: 'Consumer',
    parent: spanId === null ? 'None' : { traceId: hexOf(run.traceId), spanId, isSampled: true },
    attributes: { 'svc.job.id': run.jobId, 'svc.job.name': name, 'svc.job.attempt': run.attempt },
  } as const;
}

import {
  currentJobContext,
  type JobHandler,
  type JobRun,
  type Jobs,
  parentSpanIn,
  runInJobContext,
} from '@svc/jobs';
import { recordedSpan, type Telemetry } from '../telemetry/index.ts';

/** Returns the trace id of a job in the form of span ids: 32 hexadecimal digits. */
const hexOf = (uuid: string): string => uuid.replaceAll('-', '');

/**
 * Returns the trace id of the current job, as 32 hexadecimal digits; undefined outside jobs. The id generator of a
 * host's SDK calls it, so that root spans of a job get the job's own trace.
 */
export function currentTraceId(): string | undefined {
  const traceId = currentJobContext()?.traceId;
  return traceId === undefined ? undefined : hexOf(traceId);
}

/** Creates a span for each attempt at a job, below the request or job that enqueued it. */
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

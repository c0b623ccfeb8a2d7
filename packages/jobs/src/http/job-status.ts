import type { IncomingMessage } from 'node:http';
import type { Jobs } from '../client/jobs.ts';
import type { JobRecord } from '../sql/jobs/read-jobs.ts';
import { answeringEndpoint, type EndpointDeclaration, EndpointRefusal } from './declare-endpoint.ts';

/** Response of a status URL: progress of the job, without its payload and error text. */
export type JobStatus = Pick<
  JobRecord,
  'name' | 'state' | 'attempt' | 'progress' | 'progressText' | 'createdAt' | 'startedAt' | 'finishedAt'
> & { readonly jobId: string };

/** Returns the endpoint for the status URLs of enqueued jobs. It serves only jobs with one of `names`. */
export function jobStatusEndpoint(
  jobs: Pick<Jobs, 'get'>,
  route: string,
  names: ReadonlySet<string>,
): EndpointDeclaration {
  return answeringEndpoint<string>({
    method: 'GET',
    route,
    operation: 'getJobStatus',
    summary: 'How far an enqueued job is.',
    parse: (value) => (value as { jobId: string }).jobId.toLowerCase(),
    schemas: { output: statusSchema },
    handler: async ({ input }): Promise<JobStatus> => {
      const job = await jobs.get(input);
      if (!job || !names.has(job.name)) throw new EndpointRefusal(404, 'There is no such job.');
      const { name, state, attempt, progress, progressText, createdAt, startedAt, finishedAt } = job;
      return { jobId: input, name, state, attempt, progress, progressText, createdAt, startedAt, finishedAt };
    },
  });
}

const time = { type: ['string', 'null'], format: 'date-time' };
const statusSchema = {
  type: 'object',
  required: ['jobId', 'name', 'state'],
  properties: {
    jobId: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    state: { type: 'string' },
    attempt: { type: 'integer' },
    progress: { type: ['number', 'null'] },
    progressText: { type: ['string', 'null'] },
    createdAt: time,
    startedAt: time,
    finishedAt: time,
  },
};

/** Returns the path prefix that the host removed from the URL before its middleware. */
export function mountPath(request: IncomingMessage): string {
  const original = 'originalUrl' in request ? request.originalUrl : undefined;
  const url = request.url ?? '/';
  return typeof original === 'string' && original.endsWith(url) ? original.slice(0, -url.length) : '';
}

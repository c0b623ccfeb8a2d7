import { randomUUID } from 'node:crypto';
import { property } from '../../http/json/json-property.ts';
import type { Statement } from '../../port.ts';
import { type BigQueryConnection, maxBilledBytes } from '../settings.ts';
import { queryParameters } from './parameters.ts';

/** Identifiers of a job that its requests have in their addresses. */
export type JobName = { readonly jobId: string; readonly location: string };

const jobIdForm = /^[\w-]{1,1024}$/;
const locationForm = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;

/** Reads the `jobReference` of an answer. Returns undefined for values that are not safe in an address. */
export function readJobName(answer: unknown): JobName | undefined {
  const reference = property(answer, 'jobReference');
  const [jobId, location] = [property(reference, 'jobId'), property(reference, 'location')];
  if (typeof jobId !== 'string' || !jobIdForm.test(jobId)) return undefined;
  if (typeof location !== 'string' || !locationForm.test(location)) return undefined;
  return { jobId, location };
}

/** Fields that a dry run and the run itself share. */
function queryOf({ sql, values = [] }: Statement, connection: BigQueryConnection) {
  const { dataset, project } = connection;
  return {
    query: sql,
    useLegacySql: false,
    parameterMode: 'NAMED',
    queryParameters: queryParameters(values),
    ...(dataset !== '' && { defaultDataset: { projectId: project, datasetId: dataset } }),
  };
}

/** Returns the body of `jobs.insert` for a dry run. */
export const dryRunBody = (statement: Statement, connection: BigQueryConnection) => ({
  configuration: { dryRun: true, query: queryOf(statement, connection) },
  jobReference: {
    projectId: connection.project,
    ...(connection.location !== '' && { location: connection.location }),
  },
});

/** Wait of the service before its first answer. It is short: only the answer names the job, which cancelling needs. */
const firstWaitMs = 400;

export type RunOptions = { readonly pageRows: number; readonly timeoutMs: number };

/** Returns the body of `jobs.query`. */
export const runBody = (
  statement: Statement,
  connection: BigQueryConnection,
  { pageRows, timeoutMs }: RunOptions,
) => ({
  ...queryOf(statement, connection),
  ...(connection.location !== '' && { location: connection.location }),
  maximumBytesBilled: String(maxBilledBytes(connection)),
  jobCreationMode: 'JOB_CREATION_REQUIRED',
  requestId: randomUUID(),
  maxResults: pageRows,
  timeoutMs: firstWaitMs,
  // Ends a job whose connection is lost.
  jobTimeoutMs: String(timeoutMs + 1_000),
  formatOptions: { useInt64Timestamp: true },
});

/** Wait of the service for rows before each further answer. */
const furtherWaitMs = 10_000;

/** Returns the path of `jobs.getQueryResults`. */
export function resultsPath({ jobId, location }: JobName, pageRows: number, pageToken?: string): string {
  const query = new URLSearchParams({
    location,
    maxResults: String(pageRows),
    timeoutMs: String(furtherWaitMs),
    'formatOptions.useInt64Timestamp': 'true',
    ...(pageToken !== undefined && { pageToken }),
  });
  return `queries/${jobId}?${query}`;
}

/** Returns the path of `jobs.cancel`. */
export const cancelPath = ({ jobId, location }: JobName): string =>
  `jobs/${jobId}/cancel?${new URLSearchParams({ location })}`;

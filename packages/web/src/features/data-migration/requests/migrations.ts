import {
  getMigrationExecution,
  getMigrationJob,
  listMigrationDataSources,
  listMigrationExecutions,
  listMigrationJobs,
  listMigrationTables,
  listRejectedRows,
  type MigrationExecution,
  type MigrationPreviewInput,
  previewMigration,
  type QueryOf,
  validateMigrationJob,
} from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';
import { read } from '../../../lib/server-state.ts';

const lookAgainMs = 1_500;

/** True until a copy has ended. */
export const isUnderWay = ({ status }: Pick<MigrationExecution, 'status'>): boolean =>
  status === 'Queued' || status === 'Running';

/** One page of the jobs. */
export const migrationJobs = (query: QueryOf<typeof listMigrationJobs>) => read(listMigrationJobs, { query });

/** The jobs whose name holds a text, by name. */
export const findMigrationJobs = (search: string, pageSize: string) =>
  migrationJobs({ pageSize, sort: 'name', ...(search !== '' && { search }) });

/** One job. */
export const migrationJob = (id: number) => read(getMigrationJob, { params: { id } });

/** The data sources whose name holds a text, with whether a job may write to them. */
export const findMigrationDataSources = (search: string, pageSize: string) =>
  read(listMigrationDataSources, { query: { pageSize, sort: 'name', ...(search !== '' && { search }) } });

/** The tables of a data source, by name. */
export const migrationTables = (id: number) => read(listMigrationTables, { params: { id } });

/** A look at both sides is as good as new for so long while the rest is filled in. */
const previewHoldsMs = 60_000;

/** What a job that is not saved would read and meet. Its key names no tag: only what is filled in changes it. */
export const migrationPreview = (body: MigrationPreviewInput) =>
  queryOptions({
    queryKey: ['what a job would meet', body] as const,
    queryFn: ({ signal }) => call(previewMigration, { body }, { signal }),
    staleTime: previewHoldsMs,
    refetchOnWindowFocus: false,
    retry: false,
  });

/**
 * One page of copies; looked at again while one of them is under way, as the hub tells of progress only to who started
 * it.
 */
export const migrationExecutions = (query: QueryOf<typeof listMigrationExecutions>) =>
  queryOptions({
    ...read(listMigrationExecutions, { query }),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? lookAgainMs : false),
  });

/** One copy with its progress; looked at again until it has ended. */
export const migrationExecution = (id: number) =>
  queryOptions({
    ...read(getMigrationExecution, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? lookAgainMs : false),
  });

/** The first rows that a copy could not write. */
export const rejectedRows = (id: number, pageSize: string) =>
  read(listRejectedRows, { params: { id }, query: { pageSize } });

/**
 * What a copy would meet, asked of both data sources once for each version of the job. Its key names no tag: what the
 * hub tells of would have the databases asked anew each second.
 */
export const migrationValidation = (id: number, version: number) =>
  queryOptions({
    queryKey: ['what a copy would meet', id, version] as const,
    queryFn: ({ signal }) => call(validateMigrationJob, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

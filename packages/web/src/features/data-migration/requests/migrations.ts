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

/** Returns true until the copy has ended. */
export const isUnderWay = ({ status }: Pick<MigrationExecution, 'status'>): boolean =>
  status === 'Queued' || status === 'Running';

export const migrationJobs = (query: QueryOf<typeof listMigrationJobs>) => read(listMigrationJobs, { query });

/** Jobs whose name contains the text, sorted by name. */
export const findMigrationJobs = (search: string, pageSize: string) =>
  migrationJobs({ pageSize, sort: 'name', ...(search !== '' && { search }) });

export const migrationJob = (id: number) => read(getMigrationJob, { params: { id } });

/** Data sources whose name contains the text. Each states whether a job may write to it. */
export const findMigrationDataSources = (search: string, pageSize: string) =>
  read(listMigrationDataSources, { query: { pageSize, sort: 'name', ...(search !== '' && { search }) } });

/** Tables of a data source, sorted by name. */
export const migrationTables = (id: number) => read(listMigrationTables, { params: { id } });

/** Validity of a preview while the user edits the form. */
const previewHoldsMs = 60_000;

/** Preview of an unsaved job. Its key has no tag, so that only changed form values cause a new request. */
export const migrationPreview = (body: MigrationPreviewInput) =>
  queryOptions({
    queryKey: ['what a job would meet', body] as const,
    queryFn: ({ signal }) => call(previewMigration, { body }, { signal }),
    staleTime: previewHoldsMs,
    refetchOnWindowFocus: false,
    retry: false,
  });

/**
 * One page of copies. It polls while a copy is in progress, because the hub sends progress only to the user who started
 * it.
 */
export const migrationExecutions = (query: QueryOf<typeof listMigrationExecutions>) =>
  queryOptions({
    ...read(listMigrationExecutions, { query }),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? lookAgainMs : false),
  });

/** One copy with its progress. It polls until the copy has ended. */
export const migrationExecution = (id: number) =>
  queryOptions({
    ...read(getMigrationExecution, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? lookAgainMs : false),
  });

/** First rows that a copy could not write. */
export const rejectedRows = (id: number, pageSize: string) =>
  read(listRejectedRows, { params: { id }, query: { pageSize } });

/**
 * Validation of a job. It queries both data sources once for each version of the job. Its key has no tag: otherwise
 * each progress event of the hub would query both databases again.
 */
export const migrationValidation = (id: number, version: number) =>
  queryOptions({
    queryKey: ['what a copy would meet', id, version] as const,
    queryFn: ({ signal }) => call(validateMigrationJob, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

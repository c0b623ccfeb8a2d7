import {
  type BodyOf,
  diffQueryVersions,
  getQueryVersion,
  listQueryChanges,
  listQueryVersions,
  previewQueryVersion,
  type QueryOf,
  type QueryPreview,
} from '@svc/contract';
import { call } from '../../../lib/call.ts';
import { read } from '../../../lib/server-state.ts';

/** One page of the versions of a query, newest first. */
export const versions = (id: number, query: QueryOf<typeof listQueryVersions>) =>
  read(listQueryVersions, { params: { id }, query });

/** One version with its definition. */
export const version = (id: number) => read(getQueryVersion, { params: { id } });

/** Differences between two versions of a query. */
export const versionDiff = (from: number, to: number) => read(diffQueryVersions, { query: { from, to } });

/** One page of the history of a query, newest first. */
export const queryChanges = (id: number, query: QueryOf<typeof listQueryChanges>) =>
  read(listQueryChanges, { params: { id }, query });

/** Runs a version and returns a preview of its result. */
export const runVersion = (
  id: number,
  body: BodyOf<typeof previewQueryVersion>,
  runKey: string,
  signal: AbortSignal,
): Promise<QueryPreview> =>
  call(previewQueryVersion, { params: { id }, body, query: { extent: 'Whole', runKey } }, { signal });

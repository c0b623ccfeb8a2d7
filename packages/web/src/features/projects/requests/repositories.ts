import { listCodeReferences, listRepositories, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** The repositories of a project. */
export const repositories = (id: number) =>
  read(listRepositories, { params: { id }, query: { pageSize: '200' } });

/** One page of the lines that name tables. */
export const codeReferences = (id: number, query: QueryOf<typeof listCodeReferences>) =>
  read(listCodeReferences, { params: { id }, query });

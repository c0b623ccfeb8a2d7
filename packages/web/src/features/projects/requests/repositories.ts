import { listCodeReferences, listRepositories, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

export const repositories = (id: number) =>
  read(listRepositories, { params: { id }, query: { pageSize: '200' } });

/** One page of the code lines that name tables. */
export const codeReferences = (id: number, query: QueryOf<typeof listCodeReferences>) =>
  read(listCodeReferences, { params: { id }, query });

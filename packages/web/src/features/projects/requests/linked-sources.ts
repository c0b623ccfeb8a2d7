import { listProjectDataSources, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of the data sources that are linked to a project. */
export const linkedSources = (id: number, query: QueryOf<typeof listProjectDataSources> = {}) =>
  read(listProjectDataSources, { params: { id }, query });

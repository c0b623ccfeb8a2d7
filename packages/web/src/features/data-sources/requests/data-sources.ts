import { listDataSources, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of the data sources in reach. */
export const dataSources = (query: QueryOf<typeof listDataSources>) => read(listDataSources, { query });

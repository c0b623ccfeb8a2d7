import { getDataSourceMetadata, listDataSources, type QueryOf } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../lib/server-state.ts';

/** One page of the data sources in reach. */
export const dataSources = (query: QueryOf<typeof listDataSources>) => read(listDataSources, { query });

const keptMs = 10 * 60_000;

/** The tables of a data source as they were when last read. */
export const metadata = (id: number) =>
  queryOptions({
    ...read(getDataSourceMetadata, { params: { id } }),
    staleTime: keptMs,
    refetchOnWindowFocus: false,
  });

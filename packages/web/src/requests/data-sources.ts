import { getDataSource, getDataSourceMetadata, listDataSources, type QueryOf } from '@svc/contract';
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

/** One data source. */
export const dataSource = (id: number) => read(getDataSource, { params: { id } });

/** The data sources whose name holds a text, by name. */
export const findDataSources = (search: string, pageSize: string) =>
  dataSources({ pageSize, sort: 'name', ...(search !== '' && { search }) });

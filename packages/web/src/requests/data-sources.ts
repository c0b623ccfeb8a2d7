import { getDataSource, getDataSourceMetadata, listDataSources, type QueryOf } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../lib/server-state.ts';

/** One page of the data sources that the user can read. */
export const dataSources = (query: QueryOf<typeof listDataSources>) => read(listDataSources, { query });

const keptMs = 10 * 60_000;

/** Tables of a data source, from the last read of its metadata. */
export const metadata = (id: number) =>
  queryOptions({
    ...read(getDataSourceMetadata, { params: { id } }),
    staleTime: keptMs,
    refetchOnWindowFocus: false,
  });

export const dataSource = (id: number) => read(getDataSource, { params: { id } });

/** Data sources whose name contains the text, sorted by name. */
export const findDataSources = (search: string, pageSize: string) =>
  dataSources({ pageSize, sort: 'name', ...(search !== '' && { search }) });

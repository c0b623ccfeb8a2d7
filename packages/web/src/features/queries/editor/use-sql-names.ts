import type { DataSourceMetadata } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { metadata } from '../../data-sources/requests/metadata.ts';
import type { SqlNames } from './sql-completion.ts';

const tablesOf = (data: DataSourceMetadata): SqlNames['tables'] =>
  data.tables.map((table) => ({
    schema: table.schema === '' ? null : table.schema,
    name: table.name,
    columns: table.columns.map((column) => ({ name: column.name, type: column.databaseType })),
  }));

/** What completion knows: the tables of the step's data source, and the parameters of the query. */
export function useSqlNames(dataSourceId: number | null, parameters: readonly string[]): SqlNames {
  const { data } = useQuery({ ...metadata(dataSourceId ?? 0), enabled: dataSourceId !== null });
  const key = parameters.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the list, which is made anew each time
  return useMemo(
    () => ({ tables: data && dataSourceId !== null ? tablesOf(data) : [], parameters }),
    [data, dataSourceId, key],
  );
}

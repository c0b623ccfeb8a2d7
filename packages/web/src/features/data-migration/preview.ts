import { useDebouncedValue } from '@mantine/hooks';
import type { MigrationPreview, MigrationPreviewInput } from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JobValues } from './job-form.ts';
import { migrationPreview } from './requests/migrations.ts';

const typingMs = 400;

/** What is known of both sides of a job as it is filled in. */
export type Preview = {
  /** Undefined until enough is filled in to ask. */
  readonly body: MigrationPreviewInput | undefined;
  readonly data: MigrationPreview | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly askAgain: () => void;
};

/** What is asked for what is filled in; undefined while no source is. */
export function previewBodyOf(values: JobValues): MigrationPreviewInput | undefined {
  const { source, destination, dataSourceId, destinationDataSourceId, columns, incremental } = values;
  const { kind, schema, table, sql } = source;
  const isNamed = kind === 'Query' ? sql.trim() !== '' : schema !== '' && table !== '';
  if (!dataSourceId || !isNamed) return undefined;
  const filled = columns.filter(({ from, to }) => from !== '' && to !== '');
  const hasPlace = destinationDataSourceId && destination.schema !== '' && destination.table !== '';
  return {
    dataSourceId: dataSourceId.id,
    source: kind === 'Query' ? { kind, sql } : { kind, schema, table },
    personalData: values.personalData,
    ...(hasPlace && {
      ...{ destinationDataSourceId: destinationDataSourceId.id, destination },
      ...{ createsTable: values.createsTable, mode: values.mode, keyColumns: values.keyColumns },
      columns: filled.length === 0 ? null : filled,
      incremental: incremental.column === '' ? null : incremental,
    }),
  };
}

/** Asks both sides anew once the filling in rests; what was known before stands meanwhile. */
export function usePreview(values: JobValues): Preview {
  const [text] = useDebouncedValue(JSON.stringify(previewBodyOf(values)), typingMs);
  const body: MigrationPreviewInput | undefined = text === undefined ? undefined : JSON.parse(text);
  const found = useQuery({
    ...migrationPreview(body ?? { dataSourceId: 0, source: { kind: 'Query', sql: '-' } }),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
  });
  return {
    ...{ body, data: body && found.data, isFetching: found.isFetching },
    error: body && found.error,
    askAgain: () => void found.refetch(),
  };
}

/** The columns that rows can be written into: those that are there, or those that are made. */
export const writableColumns = (data: MigrationPreview | undefined): readonly string[] =>
  data?.destinationColumns?.filter(({ isGenerated }) => !isGenerated).map(({ name }) => name) ??
  data?.validation?.mapping.map(({ to }) => to) ??
  [];

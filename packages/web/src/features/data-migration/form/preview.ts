import { useDebouncedValue } from '@mantine/hooks';
import type { MigrationPreview, MigrationPreviewInput } from '@svc/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { migrationPreview } from '../requests/migrations.ts';
import type { JobValues } from './job-form.ts';

const typingMs = 400;

/** Preview of a job from its form values, with facts about both sides. */
export type Preview = {
  /** Undefined until the form contains enough values for a request. */
  readonly body: MigrationPreviewInput | undefined;
  readonly data: MigrationPreview | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly askAgain: () => void;
};

/** Converts form values to the request of a preview. Undefined while the form has no source. */
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
      destinationDataSourceId: destinationDataSourceId.id,
      destination,
      createsTable: values.createsTable,
      mode: values.mode,
      keyColumns: values.keyColumns,
      columns: filled.length === 0 ? null : filled,
      incremental: incremental.column === '' ? null : incremental,
    }),
  };
}

/** Queries both data sources after the user stops typing. The previous preview remains visible until then. */
export function usePreview(values: JobValues): Preview {
  const [text] = useDebouncedValue(JSON.stringify(previewBodyOf(values)), typingMs);
  const body: MigrationPreviewInput | undefined = text === undefined ? undefined : JSON.parse(text);
  const preview = useQuery({
    ...migrationPreview(body ?? { dataSourceId: 0, source: { kind: 'Query', sql: '-' } }),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
  });
  return {
    body,
    data: body && preview.data,
    isFetching: preview.isFetching,
    error: body && preview.error,
    askAgain: () => void preview.refetch(),
  };
}

/** Returns the columns that the copy can write: existing columns, or the columns of a new table. */
export const writableColumns = (data: MigrationPreview | undefined): readonly string[] =>
  data?.destinationColumns?.filter(({ isGenerated }) => !isGenerated).map(({ name }) => name) ??
  data?.validation?.mapping.map(({ to }) => to) ??
  [];

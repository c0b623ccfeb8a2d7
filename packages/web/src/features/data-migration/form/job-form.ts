import { type MigrationJob, MigrationJobInput } from '@svc/contract';
import { type Form, useForm } from '../../../lib/form.ts';
import type { Named } from '../../../ui/form/found-select.tsx';

/** Values in the form. They have the names of the request, so that an error appears at its field. */
export type JobValues = {
  name: string;
  description: string;
  dataSourceId: Named | null;
  source: { kind: 'Table' | 'Query'; schema: string; table: string; sql: string };
  destinationDataSourceId: Named | null;
  destination: { schema: string; table: string };
  createsTable: boolean;
  mode: MigrationJob['mode'];
  keyColumns: string[];
  columns: { from: string; to: string }[];
  incremental: { column: string; lookbackSeconds: number };
  personalData: MigrationJob['personalData'];
  onRejectedRow: MigrationJob['onRejectedRow'];
  rejectedRowsMax: number;
  minimumSourceRows: number;
  deletedShareMax: number;
  cronExpression: string;
  timeZone: string;
  isEnabled: boolean;
  retriesMax: number;
  timeoutMinutes: number;
};

export type JobForm = Form<JobValues>;

const empty: JobValues = {
  name: '',
  description: '',
  dataSourceId: null,
  source: { kind: 'Table', schema: '', table: '', sql: '' },
  destinationDataSourceId: null,
  destination: { schema: '', table: '' },
  createsTable: false,
  mode: 'Insert',
  keyColumns: [],
  columns: [],
  incremental: { column: '', lookbackSeconds: 0 },
  personalData: 'Refuse',
  onRejectedRow: 'Fail',
  rejectedRowsMax: 100,
  minimumSourceRows: 0,
  deletedShareMax: 0.2,
  cronExpression: '',
  timeZone: '',
  isEnabled: true,
  retriesMax: 3,
  timeoutMinutes: 30,
};

/** Returns the form values of a job. */
export const valuesOf = (job: MigrationJob): JobValues => ({
  ...empty,
  name: job.name,
  description: job.description ?? '',
  dataSourceId: { id: job.dataSourceId, name: job.dataSourceName },
  source: { ...empty.source, ...job.source },
  destinationDataSourceId: { id: job.destinationDataSourceId, name: job.destinationDataSourceName },
  destination: job.destination,
  createsTable: job.createsTable,
  mode: job.mode,
  keyColumns: job.keyColumns,
  columns: job.columns ?? [],
  incremental: job.incremental ?? empty.incremental,
  personalData: job.personalData,
  onRejectedRow: job.onRejectedRow,
  rejectedRowsMax: job.rejectedRowsMax,
  minimumSourceRows: job.minimumSourceRows,
  deletedShareMax: job.deletedShareMax,
  cronExpression: job.cronExpression ?? '',
  timeZone: job.timeZone ?? '',
  isEnabled: job.isEnabled,
  retriesMax: job.retriesMax,
  timeoutMinutes: job.timeoutMinutes,
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Converts form values to the request body. */
export function bodyOf(values: JobValues): unknown {
  const { source, dataSourceId, destinationDataSourceId, columns, incremental, ...rest } = values;
  const { kind, schema, table, sql } = source;
  const filled = columns.filter(({ from, to }) => from.trim() !== '' || to.trim() !== '');
  return {
    ...rest,
    description: orNull(values.description),
    ...(dataSourceId && { dataSourceId: dataSourceId.id }),
    source: kind === 'Query' ? { kind, sql } : { kind, schema, table },
    ...(destinationDataSourceId && { destinationDataSourceId: destinationDataSourceId.id }),
    columns: filled.length === 0 ? null : filled,
    incremental: incremental.column.trim() === '' ? null : incremental,
    cronExpression: orNull(values.cronExpression),
    timeZone: orNull(values.timeZone),
  };
}

/** Returns the form of a new job, or of an existing one. */
export const useJobForm = (
  job: MigrationJob | undefined,
  send: (body: MigrationJobInput) => Promise<unknown>,
): JobForm =>
  useForm<typeof MigrationJobInput, JobValues>({
    schema: MigrationJobInput,
    initial: job ? valuesOf(job) : empty,
    version: job?.version,
    toBody: bodyOf,
    send,
  });

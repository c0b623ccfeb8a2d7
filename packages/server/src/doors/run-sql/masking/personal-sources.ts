import type { SourceName } from '@svc/connectors';

/** Columns of an engine's own views and functions that hold statements of other users, or values of their tables. */
const columnsOfViews: Readonly<Record<string, readonly string[]>> = {
  pg_stat_activity: ['query'],
  pg_stat_statements: ['query'],
  pg_stats: ['most_common_vals', 'histogram_bounds', 'most_common_elems'],
  pg_stats_ext: ['most_common_vals'],
  pg_stats_ext_exprs: ['most_common_vals', 'histogram_bounds', 'most_common_elems'],
  pragma_storage_info: ['values'],
  parquet_metadata: ['values'],
  parquet_bloom_probe: ['values'],
  histogram: ['values'],
  histogram_values: ['values'],
  pg_statistic: ['stavalues1', 'stavalues2', 'stavalues3', 'stavalues4', 'stavalues5'],
};

/** True for a column that holds personal data by its name, or statements of other users by its place. */
export const isPersonalSource = (
  { relation, column }: SourceName,
  isPersonal: (name: string) => boolean,
): boolean =>
  isPersonal(column) || (relation !== null && (columnsOfViews[relation]?.includes(column) ?? false));

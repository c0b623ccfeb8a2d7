import { readSqlTokens, type SourceName, type SqlDialect, tokenText } from '@svc/connectors';
import { type Pattern, parsePattern } from './pattern.ts';
import { isPersonalName, type MaskingRules } from './rules.ts';

/**
 * Which column names are masked by themselves: for telling so beforehand. What a statement's own columns come to is
 * decided by its masker.
 */
export function personalNames(rules: MaskingRules): (name: string) => boolean {
  if (!rules.isEnabled) return () => false;
  let patterns: readonly Pattern[];
  try {
    patterns = (rules.customPatterns ?? []).map(parsePattern);
  } catch {
    return () => true;
  }
  return (name) => isPersonalName(name) || patterns.some((pattern) => pattern.occursIn(name));
}

/** Names in a statement that are masked by themselves, in small letters and in order. */
export function personalNamesIn(sql: string, dialect: SqlDialect, rules: MaskingRules): string[] {
  const isPersonal = personalNames(rules);
  const names = readSqlTokens(sql, dialect)
    .filter(({ kind }) => kind === 'word' || kind === 'identifier' || (kind === 'string' && dialect.isJson))
    .flatMap((token) =>
      token.kind === 'string' ? namesInText(sql.slice(token.start, token.end)) : [tokenText(sql, token)],
    )
    .filter(isPersonal);
  return [...new Set(names.map((name) => name.toLowerCase()))].sort();
}

/** Where statements are JSON, names stand in quotes, and as parts of a pointer. */
const namesInText = (text: string): string[] => text.split(/[^\p{L}\p{N}_-]+/u).filter((name) => name !== '');

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

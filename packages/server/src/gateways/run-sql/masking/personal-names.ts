import { readSqlTokens, type SourceName, type SqlDialect, tokenText } from '@svc/connectors';
import { type Pattern, parsePattern } from './pattern.ts';
import { isPersonalName, type MaskingRules } from './rules.ts';

/**
 * Returns a predicate for column names that are always masked, to report them in advance. The masker of a statement
 * decides about its result columns.
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

/** Returns the names in a statement that are always masked, sorted and in lower case. */
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

/** In dialects with JSON statements, names are in quotes and in segments of a pointer. */
const namesInText = (text: string): string[] => text.split(/[^\p{L}\p{N}_-]+/u).filter((name) => name !== '');

/** Columns of the engines' system views and functions that contain statements of other users or values of their tables. */
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

/** Returns true for a column with a personal name, and for a system column with statements of other users. */
export const isPersonalSource = (
  { relation, column }: SourceName,
  isPersonal: (name: string) => boolean,
): boolean =>
  isPersonal(column) || (relation !== null && (columnsOfViews[relation]?.includes(column) ?? false));

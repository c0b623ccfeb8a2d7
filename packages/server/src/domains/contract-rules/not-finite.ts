import type { Target } from './conditions.ts';

/**
 * Returns the condition for a NaN or infinite number in a column: comparisons with bounds do not exclude these values on
 * all engines. Undefined if the type has no such value.
 */
export function notFinite({ dialect }: Target, column: string, type: string): string | undefined {
  switch (dialect.name) {
    case 'postgresql':
      // Numerics have infinities only since version 14: a cast of the text would fail in earlier versions.
      return /^(double precision|real|float|numeric|decimal)/i.test(type)
        ? `cast(${column} as text) in ('NaN', 'Infinity', '-Infinity')`
        : undefined;
    case 'sqlite':
      return `${column} in (9e999, -9e999)`;
    case 'duckdb':
      return /^(float|double|real)/i.test(type) ? `not isfinite(${column})` : undefined;
    case 'clickhouse':
      return /float/i.test(type) ? `not isFinite(${column})` : undefined;
    case 'bigquery':
      return /^float/i.test(type) ? `is_nan(${column}) or is_inf(${column})` : undefined;
    case 'snowflake':
      return /^(float|double|real)/i.test(type)
        ? `cast(${column} as varchar) in ('NaN', 'inf', '-inf')`
        : undefined;
    case 'databricks':
      return /^(float|double|real)/i.test(type)
        ? `cast(${column} as string) in ('NaN', 'Infinity', '-Infinity')`
        : undefined;
    case 'mysql':
    case 'sqlserver':
    case 'rest':
      return undefined;
  }
}

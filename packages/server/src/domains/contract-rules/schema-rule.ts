import type { ColumnMetadata } from '@svc/connectors';
import type { RuleConfig } from '@svc/contract';

const normal = (type: string): string => type.toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** Returns the differences from the expected columns of a Schema rule, one text each. */
export function differencesFrom(
  expected: NonNullable<RuleConfig['expected']>,
  columns: readonly ColumnMetadata[],
): string[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return expected.flatMap(({ name, databaseType, isNullable }) => {
    const column = byName.get(name);
    if (!column) return [`The column ${name} is missing.`];
    const isRetyped = databaseType != null && normal(databaseType) !== normal(column.databaseType);
    return [
      ...(isRetyped ? [`The column ${name} is ${column.databaseType}, not ${databaseType}.`] : []),
      ...(isNullable === false && column.isNullable ? [`The column ${name} accepts NULL.`] : []),
    ];
  });
}

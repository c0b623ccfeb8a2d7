import type { MetadataOptions } from './port.ts';

const maxTablesCeiling = 5_000;
const maxColumnsCeiling = 1_000;

/** Selection of tables for a metadata read, with defaults. */
export type MetadataChoice = {
  readonly isWanted: (schema: string) => boolean;
  readonly maxTables: number;
  readonly maxColumnsPerTable: number;
  readonly tableNamesOnly: boolean;
};

/**
 * Reads the caller's selection. Schema names compare without case, and an include list takes precedence over an
 * exclude list.
 */
export function metadataChoice(options: MetadataOptions): MetadataChoice {
  const include = new Set((options.includeSchemas ?? []).map((name) => name.toLowerCase()));
  const exclude = new Set((options.excludeSchemas ?? []).map((name) => name.toLowerCase()));
  return {
    isWanted: (schema) => {
      const name = schema.toLowerCase();
      return include.size > 0 ? include.has(name) : !exclude.has(name);
    },
    maxTables: Math.min(options.maxTables ?? maxTablesCeiling, maxTablesCeiling),
    maxColumnsPerTable: Math.min(options.maxColumnsPerTable ?? maxColumnsCeiling, maxColumnsCeiling),
    tableNamesOnly: options.tableNamesOnly ?? false,
  };
}

/** Groups rows by a key and preserves their order. */
export function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

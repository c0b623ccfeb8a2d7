import type { TableName } from '../../writers/port.ts';

/** Quotes a name so that PostgreSQL reads it literally. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const quotedTable = ({ schema, table }: TableName): string => `${quoted(schema)}.${quoted(table)}`;

export const quotedList = (names: readonly string[], prefix = ''): string =>
  names.map((name) => `${prefix}${quoted(name)}`).join(', ');

/** Tables of a copy: its staged rows, and the mark whose row the committing transaction deletes. */
export type StagingTables = { readonly rows: string; readonly mark: string; readonly markName: string };

/** Returns the quoted names of a copy's own tables in the destination's schema. */
export function stagingTables(schema: string, stagingName: string): StagingTables {
  const markName = `${stagingName}_m`;
  return {
    rows: quotedTable({ schema, table: stagingName }),
    mark: quotedTable({ schema, table: markName }),
    markName,
  };
}

import type { TableName } from '../../writers/port.ts';

/** A name as MySQL takes it literally. */
export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

export const quotedTable = ({ schema, table }: TableName): string => `${quoted(schema)}.${quoted(table)}`;

export const quotedList = (names: readonly string[], prefix = ''): string =>
  names.map((name) => `${prefix}${quoted(name)}`).join(', ');

/** The tables of a copy, quoted: its rows on their way, its mark, and where a takeover puts the rows aside. */
export type StagingTables = { readonly rows: string; readonly mark: string; readonly taken: string };

export const stagingTables = (schema: string, stagingName: string): StagingTables => ({
  rows: quotedTable({ schema, table: stagingName }),
  mark: quotedTable({ schema, table: `${stagingName}_m` }),
  taken: quotedTable({ schema, table: `${stagingName}_x` }),
});

/** A text as a literal, read with backslash escapes and as utf8mb4. */
export const literal = (text: string): string =>
  `'${text.replaceAll(/[\\'\0]/g, (found) => (found === '\0' ? '\\0' : `\\${found}`))}'`;

import type { TableName } from '../../writers/port.ts';

/** Quotes a name so that MySQL reads it literally. */
export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

export const quotedTable = ({ schema, table }: TableName): string => `${quoted(schema)}.${quoted(table)}`;

export const quotedList = (names: readonly string[], prefix = ''): string =>
  names.map((name) => `${prefix}${quoted(name)}`).join(', ');

/** Quoted tables of a copy: its staged rows, its mark, and the name of the rows after a takeover. */
export type StagingTables = { readonly rows: string; readonly mark: string; readonly taken: string };

export const stagingTables = (schema: string, stagingName: string): StagingTables => ({
  rows: quotedTable({ schema, table: stagingName }),
  mark: quotedTable({ schema, table: `${stagingName}_m` }),
  taken: quotedTable({ schema, table: `${stagingName}_x` }),
});

/** Formats a text as a literal, for backslash escapes and utf8mb4. */
export const literal = (text: string): string =>
  `'${text.replaceAll(/[\\'\0]/g, (character) => (character === '\0' ? '\\0' : `\\${character}`))}'`;

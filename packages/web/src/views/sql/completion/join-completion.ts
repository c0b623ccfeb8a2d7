import type { Completion } from '@codemirror/autocomplete';
import type { Quote } from '../quoting.ts';
import { type KnownTable, type TextSource, unquoted } from './sql-text.ts';

/** One end of a relationship. Its columns correspond by index to the columns of the other end. */
export type JoinEnd = {
  readonly schema: string | null;
  readonly table: string;
  readonly columns: readonly string[];
};
/** Relationship between two tables. */
export type KnownJoin = { readonly source: JoinEnd; readonly target: JoinEnd };

const isTable = (end: JoinEnd, table: KnownTable | undefined): boolean =>
  table !== undefined && end.table === table.name && (end.schema ?? '') === (table.schema ?? '');

const conditionOf = (quote: Quote, alias: string, end: JoinEnd, otherAlias: string, other: JoinEnd): string =>
  end.columns
    .map(
      (column, at) =>
        `${quote(alias)}.${quote(column)} = ${quote(otherAlias)}.${quote(other.columns[at] ?? '')}`,
    )
    .join(' and ');

const isDefaultSchema = (schema: string | null): boolean =>
  schema === null || schema === 'public' || schema === 'main';

/** Returns an alias for a further table that the text does not use yet. */
function freeAlias(table: string, read: readonly TextSource[]): string {
  const isTaken = (name: string) => read.some(({ alias }) => alias.toLowerCase() === name.toLowerCase());
  if (!isTaken(table)) return table;
  let number = 2;
  while (isTaken(`${table}_${number}`)) number += 1;
  return `${table}_${number}`;
}

/** Returns each relationship in both directions. */
const bothWays = (joins: readonly KnownJoin[]): readonly (readonly [JoinEnd, JoinEnd])[] =>
  joins.flatMap(({ source, target }) => [[source, target] as const, [target, source] as const]);

/** Returns the completions after `join`: tables related to a table of the statement, each with its condition. */
export function tableJoinOptions(
  read: readonly TextSource[],
  joins: readonly KnownJoin[],
  quote: Quote,
): Completion[] {
  return read.flatMap(({ alias, table }) =>
    bothWays(joins)
      .filter(([here]) => isTable(here, table))
      .map(([here, there]) => {
        const name = freeAlias(there.table, read);
        const written = isDefaultSchema(there.schema)
          ? quote(there.table)
          : `${quote(there.schema ?? '')}.${quote(there.table)}`;
        const condition = conditionOf(quote, name, there, alias, here);
        return {
          label: `${there.table} on ${condition}`,
          apply: `${written}${name === there.table ? '' : ` ${quote(name)}`} on ${condition}`,
          detail: 'relationship',
          type: 'class',
          boost: 4,
        };
      }),
  );
}

/** Returns the completions after `join … on`: conditions between the last table and the others. */
export function conditionOptions(
  joinText: string,
  read: readonly TextSource[],
  joins: readonly KnownJoin[],
  quote: Quote,
): Completion[] {
  const [, table = '', named] = /^join\s+(\S+)(?:\s+(?:as\s+)?(\w+))?\s+on\s+\w*$/i.exec(joinText) ?? [];
  const alias = unquoted(named ?? table.split('.').at(-1) ?? '').toLowerCase();
  const joined = read.find((source) => source.alias.toLowerCase() === alias);
  if (!joined) return [];
  return bothWays(joins)
    .filter(([here]) => isTable(here, joined.table))
    .flatMap(([here, there]) =>
      read
        .filter((other) => other !== joined && isTable(there, other.table))
        .map((other) => ({
          label: conditionOf(quote, joined.alias, here, other.alias, there),
          detail: 'relationship',
          type: 'property',
          boost: 4,
        })),
    );
}

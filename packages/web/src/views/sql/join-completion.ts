import type { Completion } from '@codemirror/autocomplete';
import type { Quote } from './quoting.ts';
import { type KnownTable, type TextSource, unquoted } from './sql-text.ts';

/** One end of a relationship: the columns stand in the order of those of the other end. */
export type JoinEnd = {
  readonly schema: string | null;
  readonly table: string;
  readonly columns: readonly string[];
};
/** Two tables that hang together. */
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

/** A name for a further table that the text does not use yet. */
function freeAlias(table: string, read: readonly TextSource[]): string {
  const isTaken = (name: string) => read.some(({ alias }) => alias.toLowerCase() === name.toLowerCase());
  if (!isTaken(table)) return table;
  let number = 2;
  while (isTaken(`${table}_${number}`)) number += 1;
  return `${table}_${number}`;
}

/** Both ways to look at each relationship. */
const bothWays = (joins: readonly KnownJoin[]): readonly (readonly [JoinEnd, JoinEnd])[] =>
  joins.flatMap(({ source, target }) => [[source, target] as const, [target, source] as const]);

/** After `join`: tables that hang together with one that is read, each with its condition. */
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

/** After `join … on`: what joins the table that was named last to one of the others. */
export function conditionOptions(
  joinText: string,
  read: readonly TextSource[],
  joins: readonly KnownJoin[],
  quote: Quote,
): Completion[] {
  const [, table = '', named] = /^join\s+(\S+)(?:\s+(?:as\s+)?(\w+))?\s+on\s+\w*$/i.exec(joinText) ?? [];
  const alias = unquoted(named ?? table.split('.').at(-1) ?? '').toLowerCase();
  const own = read.find((one) => one.alias.toLowerCase() === alias);
  if (!own) return [];
  return bothWays(joins)
    .filter(([here]) => isTable(here, own.table))
    .flatMap(([here, there]) =>
      read
        .filter((other) => other !== own && isTable(there, other.table))
        .map((other) => ({
          label: conditionOf(quote, own.alias, here, other.alias, there),
          detail: 'relationship',
          type: 'property',
          boost: 4,
        })),
    );
}

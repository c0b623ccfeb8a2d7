import { createLexicalIndex } from '../../platform/search/index.ts';
import { compactTable } from './compact-schema.ts';
import { type GroundedTable, type Known, type KnownKey, tableNameOf } from './known.ts';
import { sentLength } from './sent-length.ts';
import { tableFields } from './table-fields.ts';

/** Characters of the compact form up to which the whole schema goes along. */
export const schemaLengthMax = 24_000;
/** Tables that fit the question best, where not all go along. */
const bestMax = 15;
/** What a table that is known to matter gains, as a share of the best score. */
const raisedShare = 0.5;

export type ChosenTables = {
  /** A line a table. */
  readonly text: string;
  readonly tables: readonly string[];
  /** Every table of the schema is among them. */
  readonly isWhole: boolean;
};

type Choice = {
  readonly question: string;
  readonly isPersonal: (column: string) => boolean;
  /** Names of tables that similar questions and the words of this one lead to, in small letters. */
  readonly raised: ReadonlySet<string>;
  /** Of the schema as it is sent. */
  readonly lengthMax: number;
};

/** The whole schema while it is short, without its comments if need be; else the best tables and one hop of keys. */
export function chooseTables(known: Pick<Known, 'tables' | 'keys'>, choice: Choice): ChosenTables {
  const { tables, keys } = known;
  for (const hasComments of [true, false]) {
    const lines = tables.map((table) => compactTable(table, keys, { ...choice, hasComments }));
    const text = lines.join('\n');
    if (sentLength(text) <= choice.lengthMax) return { text, tables: tables.map(tableNameOf), isWhole: true };
  }
  const best = bestTables(tables, choice);
  return fitting([...best, ...neighbours(tables, best, keys)], keys, choice);
}

function bestTables(tables: readonly GroundedTable[], { question, raised }: Choice): GroundedTable[] {
  const index = createLexicalIndex(tables.map((item) => ({ item, fields: tableFields(item) })));
  const found = new Map(index.find(question).map(({ item, score }) => [item, score]));
  const gain = Math.max(1, ...found.values()) * raisedShare;
  for (const table of tables)
    if (raised.has(tableNameOf(table).toLowerCase())) found.set(table, (found.get(table) ?? 0) + gain);
  return [...found]
    .sort(([, one], [, other]) => other - one)
    .slice(0, bestMax)
    .map(([table]) => table);
}

/** Tables that a key leads to from one of these, or that have a key to one of them. */
function neighbours(
  tables: readonly GroundedTable[],
  chosen: readonly GroundedTable[],
  keys: readonly KnownKey[],
): GroundedTable[] {
  const names = new Set(chosen.map(tableNameOf));
  const nameOf = ({ schema, table }: KnownKey['source']) => tableNameOf({ schema, name: table });
  const reached = new Set(
    keys.flatMap(({ source, target }) => [
      ...(names.has(nameOf(source)) ? [nameOf(target)] : []),
      ...(names.has(nameOf(target)) ? [nameOf(source)] : []),
    ]),
  );
  return tables.filter((table) => reached.has(tableNameOf(table)) && !names.has(tableNameOf(table)));
}

/** As many as there is room for, best first; one that does not fit leaves room for those behind it. */
function fitting(tables: readonly GroundedTable[], keys: readonly KnownKey[], choice: Choice): ChosenTables {
  const lines: string[] = [];
  const names: string[] = [];
  let length = 0;
  for (const table of tables) {
    const line = compactTable(table, keys, { ...choice, hasComments: true });
    const added = sentLength(line) + 1;
    if (length + added > choice.lengthMax) continue;
    length += added;
    lines.push(line);
    names.push(tableNameOf(table));
  }
  return { text: lines.join('\n'), tables: names, isWhole: false };
}

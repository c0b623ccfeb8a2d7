import { createLexicalIndex } from '../../platform/search/index.ts';
import { compactTable } from './compact-schema.ts';
import { type GroundedTable, type Knowledge, type KnownKey, tableNameOf } from './knowledge.ts';
import { sentLength } from './sent-length.ts';
import { tableFields } from './table-fields.ts';

/** Length of the compact schema up to which a prompt contains it completely, in characters. */
export const schemaLengthMax = 24_000;
/** Upper bound for the best matching tables in a shortened schema. */
const bestMax = 15;
/** Score increase of a table with known relevance, as a share of the best score. */
const raisedShare = 0.5;

export type ChosenTables = {
  /** One line per table. */
  readonly text: string;
  readonly tables: readonly string[];
  /** True when the text contains every table of the schema. */
  readonly isWhole: boolean;
};

type Choice = {
  readonly question: string;
  readonly isPersonal: (column: string) => boolean;
  /** Lower-case names of tables that similar questions and terms refer to. */
  readonly raised: ReadonlySet<string>;
  /** Length limit of the schema text. */
  readonly lengthMax: number;
};

/**
 * Returns the complete schema when it is short enough, without comments if necessary. Otherwise returns the best tables
 * and their direct neighbours by keys.
 */
export function chooseTables(knowledge: Pick<Knowledge, 'tables' | 'keys'>, choice: Choice): ChosenTables {
  const { tables, keys } = knowledge;
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
  const scores = new Map(index.find(question).map(({ item, score }) => [item, score]));
  const gain = Math.max(1, ...scores.values()) * raisedShare;
  for (const table of tables)
    if (raised.has(tableNameOf(table).toLowerCase())) scores.set(table, (scores.get(table) ?? 0) + gain);
  return [...scores]
    .sort(([, one], [, other]) => other - one)
    .slice(0, bestMax)
    .map(([table]) => table);
}

/** Returns tables with a key to or from one of the chosen tables. */
function neighbours(
  tables: readonly GroundedTable[],
  selectedTables: readonly GroundedTable[],
  keys: readonly KnownKey[],
): GroundedTable[] {
  const names = new Set(selectedTables.map(tableNameOf));
  const nameOf = ({ schema, table }: KnownKey['source']) => tableNameOf({ schema, name: table });
  const reached = new Set(
    keys.flatMap(({ source, target }) => [
      ...(names.has(nameOf(source)) ? [nameOf(target)] : []),
      ...(names.has(nameOf(target)) ? [nameOf(source)] : []),
    ]),
  );
  return tables.filter((table) => reached.has(tableNameOf(table)) && !names.has(tableNameOf(table)));
}

/**
 * Returns the best tables within the length limit. A table that does not fit is skipped, and smaller tables after it
 * may still fit.
 */
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

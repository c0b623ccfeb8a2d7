import type { SqlDialect } from '@svc/connectors';
import { type Comparison, readComparisons } from './read-comparisons.ts';
import { type From, readFrom } from './read-from.ts';
import { type JoinAt, readSums, type Sum } from './read-sums.ts';
import type { SchemaNames } from './schema-names.ts';
import { keywords } from './sql-words.ts';
import { only, type Tokens, tokensOf } from './tokens.ts';

export type ColumnName = readonly [table: string, column: string];
export type Join = readonly [table: string, column: string, otherTable: string, otherColumn: string];

/** Meaning of a word in a statement. */
export type Meaning =
  | { readonly kind: 'Keyword' | 'Function' | 'Value' | 'Symbol' | 'Alias' | 'Unknown' }
  | { readonly kind: 'Table' | 'Column'; readonly name: string };

export type Word = { readonly text: string; readonly meaning: Meaning };

/** A parsed statement. It contains only names that the schema contains. */
export type ReadStatement = {
  readonly words: readonly Word[];
  readonly tables: readonly string[];
  readonly columns: readonly ColumnName[];
  /** Compared columns of two tables, the smaller name first. */
  readonly joins: readonly Join[];
  /** Comparisons of columns with values, when the column is unambiguous. */
  readonly comparisons: readonly Comparison[];
  readonly sums: readonly Sum[];
  /** Names of tables or columns that the schema does not contain. */
  readonly unknown: readonly string[];
};

/** Reads names without a full grammar. Omits names that belong to no single table. */
export function readStatement(sql: string, dialect: SqlDialect, schema: SchemaNames): ReadStatement {
  const tokens = tokensOf(sql, dialect);
  // An executable comment hides part of the statement.
  if (tokens.all.some(({ kind }) => kind === 'executable-comment'))
    return { words: [], tables: [], columns: [], joins: [], comparisons: [], sums: [], unknown: [] };
  const from = readFrom(tokens, schema);
  const columns = createColumns(tokens, from, schema);
  const words = tokens.all.map(({ text }, index) => ({
    text,
    meaning: meaningOf(index, tokens, from, columns),
  }));
  const comparisons = readComparisons(tokens, columns.certain);
  return {
    words,
    tables: columns.tables.map((table) => table.name).sort(),
    columns: unique([...columns.at.values()]),
    joins: unique(joinsOf(tokens, columns.at).map(({ join }) => join)),
    comparisons,
    sums: readSums(
      tokens,
      { from, columnAt: columns.certain },
      { joined: joinsOf(tokens, columns.certain), comparisons },
    ),
    unknown: [...new Set(words.flatMap(({ text, meaning }) => unknownName(text, meaning)))],
  };
}

/** Matches plain names. Quoted text with other characters is not a name. */
const name = /^[\p{L}_][\p{L}\p{N}_$]{0,62}$/u;
const unknownName = (text: string, meaning: Meaning): string[] =>
  meaning.kind === 'Unknown' && name.test(text) ? [text.toLowerCase()] : [];

const values = new Set(['string', 'number', 'placeholder', 'marker']);

/** Returns the meaning of a token that is not a column; undefined when it may be a column. */
function plainMeaning(index: number, { all, is, isName }: Tokens): Meaning | undefined {
  const token = all[index];
  if (!token) return { kind: 'Symbol' };
  if (values.has(token.kind)) return { kind: 'Value' };
  if (token.kind === 'word' && keywords.has(token.lower)) return { kind: 'Keyword' };
  if (!isName(index)) return { kind: 'Symbol' };
  if (is(index + 1, '(')) return { kind: 'Function' };
  // A type or a unit: `x::date`, `date '2020-01-01'`, `extract(year from x)`.
  const isType =
    (is(index - 1, ':') && is(index - 2, ':')) ||
    all[index + 1]?.kind === 'string' ||
    (is(index - 1, '(') && is(index - 2, 'extract'));
  return isType ? { kind: 'Alias' } : undefined;
}

type Columns = ReturnType<typeof createColumns>;

const meaningOf = (index: number, tokens: Tokens, from: From, columns: Columns): Meaning =>
  from.named.get(index) ?? plainMeaning(index, tokens) ?? columns.meaningOf(index);

/** Tokens before a table, or before a subquery in its place. */
const beforeTable = new Set(['from', 'join', 'lateral', ',']);

/** Resolves names to columns and records their positions. */
function createColumns({ all, is, isOutputName }: Tokens, from: From, schema: SchemaNames) {
  const tables = [...new Map(from.tables.map((table) => [table.name, table])).values()];
  const outputs = new Set(all.flatMap(({ lower }, index) => (isOutputName(index) ? [lower] : [])));
  // With a derived table, a name may be a column of it.
  const isMade = [...from.sources.values()].includes(null);
  const hasDerived = all.some(
    ({ lower }, index) => beforeTable.has(lower) && is(index + 1, '(') && is(index + 2, 'select'),
  );
  const at = new Map<number, ColumnName>();
  const certain = new Map<number, ColumnName>();

  /** Returns undefined for an unqualified column, and null when the qualifier is not a table of the schema. */
  const ownerOf = (index: number) =>
    is(index - 1, '.') ? (from.sources.get(all[index - 2]?.lower ?? '') ?? null) : undefined;

  const columnOf = (index: number, lower: string): Meaning => {
    const owner = ownerOf(index);
    // The columns of a derived table are unknown.
    if (owner === null) return schema.hasColumn(lower) ? { kind: 'Column', name: lower } : { kind: 'Alias' };
    const owners = (owner ? [owner] : tables).filter(({ columns }) => columns.has(lower));
    const column = owners[0]?.columns.get(lower);
    if (column === undefined) return { kind: outputs.has(lower) || isMade ? 'Alias' : 'Unknown' };
    const table = only(owners);
    if (table) {
      at.set(index, [table.name, column]);
      const isBare = !is(index - 1, '.') && !hasDerived && !isMade && !outputs.has(lower);
      if (owner || isBare) certain.set(index, [table.name, column]);
    }
    return { kind: 'Column', name: column };
  };

  return {
    tables,
    at,
    /** Subset of `at`: excludes names that may be an output name or a column of a derived table. */
    certain,
    meaningOf: (index: number): Meaning => {
      const lower = all[index]?.lower ?? '';
      if (!is(index + 1, '.')) return isOutputName(index) ? { kind: 'Alias' } : columnOf(index, lower);
      const owner = from.sources.get(lower);
      return owner ? { kind: 'Table', name: owner.name } : { kind: 'Alias' };
    },
  };
}

function joinsOf({ is }: Tokens, columnAt: ReadonlyMap<number, ColumnName>): JoinAt[] {
  return [...columnAt].flatMap(([index, one]): JoinAt[] => {
    if (!is(index + 1, '=')) return [];
    // After the equals sign follows `b.y`, or `y` alone.
    const other = columnAt.get(index + 4) ?? columnAt.get(index + 2);
    if (!other || other[0] === one[0]) return [];
    return [{ index, join: one.join('\n') < other.join('\n') ? [...one, ...other] : [...other, ...one] }];
  });
}

const unique = <T extends readonly string[]>(all: readonly T[]): T[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];

import type { SqlDialect } from '@svc/connectors';
import { endOfBracket, isComparison, isNamePiece, isSign, isWord, type Piece, readPieces } from './pieces.ts';
import { type Relations, readRelations } from './relations.ts';

/** Outermost SELECT lists of a statement, as far as they can be determined without a grammar. */
export type StatementShape = {
  readonly pieces: readonly Piece[];
  /** True if there is more than one SELECT: an inner one may rename columns. */
  readonly isNested: boolean;
  /**
   * Items of each SELECT that returns the statement's rows. Null for a list with a star, whose positions are unknown, and
   * for an operand without a list.
   */
  readonly lists: readonly (readonly (readonly Piece[])[] | null)[];
  /** Columns are renamed by position (`t (a, b)`), or values become rows (`UNPIVOT`). */
  readonly hasRenaming: boolean;
  /** The statement contains `TABLE t`, DuckDB's `SUMMARIZE t`, or `FROM t` of DuckDB and Spark: all columns of the table. */
  readonly takesTable: boolean;
  readonly relations: Relations;
};

/** Parses a statement's shape. */
export function readShape(sql: string, dialect: SqlDialect): StatementShape {
  const pieces = readPieces(sql, dialect);
  const selects = pieces.filter((piece) => isWord(piece, 'select'));
  const operands = resultOperands(pieces) ?? outermostSelects(pieces);
  return {
    pieces,
    isNested: selects.length > 1,
    lists: operands.map((start) => (start === undefined ? null : readItems(pieces, start))),
    takesTable: pieces.some((_piece, index) => startsTableQuery(pieces, index)),
    relations: readRelations(pieces),
    hasRenaming: readRenaming(pieces) || pieces.some((piece) => givesNames(piece, dialect)),
  };
}

/**
 * Functions that give fields of a STRUCT, items of an array or properties of a graph new names. Table functions and
 * lateral tables of Snowflake and Databricks return their input under their own column names.
 */
const namesGivenBy: Readonly<Partial<Record<SqlDialect['name'], readonly string[]>>> = {
  bigquery: ['struct', 'unnest', 'graph_table'],
  snowflake: ['lateral', 'table', 'flatten'],
  databricks: [
    'lateral',
    'struct',
    'named_struct',
    'inline',
    'inline_outer',
    'stack',
    'explode',
    'explode_outer',

    'posexplode',
    'posexplode_outer',
    'json_tuple',
    'from_json',
    'from_csv',
    'from_xml',
    'map',
    'transform',
    'variant_explode',
    'variant_explode_outer',
    'table',
  ],
};

const givesNames = ({ kind, text }: Piece, { name }: SqlDialect): boolean =>
  kind === 'word' && (namesGivenBy[name]?.includes(text) ?? false);

/** Returns the SELECTs with the smallest bracket depth. Brackets around the whole statement therefore do not count. */
function outermostSelects(pieces: readonly Piece[]): number[] {
  const depths: { index: number; depth: number }[] = [];
  let depth = 0;
  for (const [index, piece] of pieces.entries()) {
    if (isSign(piece, '(')) depth++;
    else if (isSign(piece, ')')) depth--;
    else if (isWord(piece, 'select')) depths.push({ index, depth });
  }
  const least = Math.min(...depths.map((entry) => entry.depth));
  return depths.filter((entry) => entry.depth === least).map((entry) => entry.index);
}

const setOperators = new Set(['union', 'except', 'intersect', 'minus']);
const operatorWords = new Set(['all', 'distinct', 'by', 'name', 'position', 'strict', 'corresponding']);
const queryStarts = new Set(['select', 'with', 'values', 'table', 'from']);

/**
 * Returns the positions of the SELECTs that return the statement's rows, in brackets or not. An element is undefined for
 * an operand without a list (`TABLE t`, `VALUES`). Returns undefined for a statement that is not a query.
 */
function resultOperands(pieces: readonly Piece[]): (number | undefined)[] | undefined {
  const first = pieces.find((piece) => !isSign(piece, '('));
  if (first?.kind !== 'word' || !queryStarts.has(first.text)) return undefined;
  return operandsOf(pieces, 0, pieces.length);
}

function operandsOf(pieces: readonly Piece[], from: number, to: number): (number | undefined)[] {
  const main = isWord(pieces[from], 'with') ? mainQuery(pieces, from, to) : from;
  const starts = [main];
  for (let at = main; at < to; at = behind(pieces, at)) {
    if (isSetOperator(pieces, at)) starts.push(behindOperator(pieces, at));
  }
  return starts.flatMap((start) => {
    if (isWord(pieces[start], 'select')) return [start];
    if (isWord(pieces[start], 'from')) return [listBehindFrom(pieces, start, to)];
    if (!isSign(pieces[start], '(')) return [undefined];
    return operandsOf(pieces, start + 1, Math.min(to, endOfBracket(pieces, start)));
  });
}

/** `* EXCEPT (a)` excludes columns and is no set operator. */
const isSetOperator = (pieces: readonly Piece[], at: number): boolean =>
  pieces[at]?.kind === 'word' && setOperators.has(pieces[at]?.text ?? '') && !isSign(pieces[at - 1], '*');

/** DuckDB: `FROM t SELECT a`. */
function listBehindFrom(pieces: readonly Piece[], from: number, to: number): number | undefined {
  for (let at = from; at < to && !isSetOperator(pieces, at); at = behind(pieces, at))
    if (isWord(pieces[at], 'select')) return at;
  return undefined;
}

/** Returns the index of the next piece, after the bracket that opens here. */
const behind = (pieces: readonly Piece[], at: number): number =>
  isSign(pieces[at], '(') ? endOfBracket(pieces, at) + 1 : at + 1;

function behindOperator(pieces: readonly Piece[], operator: number): number {
  let at = operator + 1;
  while (pieces[at]?.kind === 'word' && operatorWords.has(pieces[at]?.text ?? '')) at++;
  return at;
}

/** Returns the query after `WITH a AS (…), b AS (…)`. */
function mainQuery(pieces: readonly Piece[], from: number, to: number): number {
  for (let at = from + 1; at < to; at = behind(pieces, at)) {
    const piece = pieces[at];
    if (piece?.kind === 'word' && queryStarts.has(piece.text)) return at;
    if (isSign(piece, '(') && isSign(pieces[at - 1], ')') && holdsQuery(pieces, at)) return at;
  }
  return to;
}

/** Returns true for a bracket that contains a query, not a list of names. */
function holdsQuery(pieces: readonly Piece[], open: number): boolean {
  let at = open;
  while (isSign(pieces[at], '(')) at++;
  return pieces[at]?.kind === 'word' && queryStarts.has(pieces[at]?.text ?? '');
}

/** Matches `TABLE t` or `FROM t` at the position of a query. */
function startsTableQuery(pieces: readonly Piece[], index: number): boolean {
  const [word, before] = [pieces[index], pieces[index - 1]];
  if (isSummary(pieces, index)) return true;
  if (!isNamePiece(pieces[index + 1])) return false;
  if (isWord(word, 'table'))
    return isBehindOperator(pieces, index) || isSign(before, '(') || isSign(before, ')');
  if (!isWord(word, 'from')) return false;
  // `trim(FROM x)` is a function call.
  const opener = pieces[index - 2];
  const isCall = isNamePiece(opener) && !(opener?.kind === 'word' && commonWords.has(opener.text));
  return isBehindOperator(pieces, index) || (isSign(before, '(') && !isCall);
}

/** Matches `SUMMARIZE t` and `SUMMARIZE SELECT …`, which return the least and greatest value of each column. */
function isSummary(pieces: readonly Piece[], index: number): boolean {
  if (!isWord(pieces[index], 'summarize')) return false;
  return index === 0 || isSign(pieces[index - 1], '(') || isWord(pieces[index - 1], 'explain');
}

function isBehindOperator(pieces: readonly Piece[], index: number): boolean {
  let at = index - 1;
  while (pieces[at]?.kind === 'word' && operatorWords.has(pieces[at]?.text ?? '')) at--;
  const piece = pieces[at];
  return piece?.kind === 'word' && setOperators.has(piece.text);
}

const listEnds = new Set([
  'from',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'union',
  'except',
  'intersect',
  'into',
  'window',
  'fetch',
  'offset',
  'qualify',
]);

const opens = new Set(['(', '[', '{']);
const closes = new Set([')', ']', '}']);

function readItems(pieces: readonly Piece[], select: number): Piece[][] | null {
  const items: Piece[][] = [[]];
  let depth = 0;
  const rest = pieces.slice(startOfItems(pieces, select));
  for (const [at, piece] of rest.entries()) {
    const sign = piece.kind === 'symbol' ? piece.text : '';
    if (opens.has(sign)) depth++;
    if (closes.has(sign)) depth--;
    const isEnd =
      sign === ';' || (piece.kind === 'word' && listEnds.has(piece.text) && !isComparison(rest, at));
    if (depth < 0 || (depth === 0 && isEnd)) break;
    if (depth === 0 && sign === ',') items.push([]);
    else items.at(-1)?.push(piece);
  }
  return items.some(isStarItem) ? null : items;
}

function startOfItems(pieces: readonly Piece[], select: number): number {
  const at = select + 1;
  if (isWord(pieces[at], 'all')) return at + 1;
  if (!isWord(pieces[at], 'distinct')) return at;
  return isWord(pieces[at + 1], 'on') ? endOfBracket(pieces, at + 2) + 1 : at + 1;
}

/** Matches `*`, `t.*`, and DuckDB's `* EXCLUDE (…)` and `COLUMNS(…)`. A star inside brackets is an argument. */
function isStarItem(item: readonly Piece[]): boolean {
  let depth = 0;
  return item.some((piece, index) => {
    if (isSign(piece, '(')) depth++;
    if (isSign(piece, ')')) depth--;
    if (isSign(piece, '*') && depth === 0) return index === 0 || isSign(item[index - 1], '.');
    return isWord(piece, 'columns') && isSign(item[index + 1], '(');
  });
}

const afterTable = new Set([
  'on',
  'using',
  'where',
  'join',
  'left',
  'right',
  'inner',
  'full',
  'cross',
  'natural',
  'group',
  'order',
  'limit',
  'having',
  'union',
  'except',
  'intersect',
  'lateral',
  'select',
  'set',
  'window',
  'for',
  'offset',
  'fetch',
  'tablesample',
  'qualify',
  'asof',
  'semi',
  'anti',
  'positional',
  'straight_join',
  'use',
  'force',
  'ignore',
]);

function readRenaming(pieces: readonly Piece[]): boolean {
  return pieces.some((piece, index) => {
    if (piece.kind === 'word' && ['unpivot', 'pivot', 'match_recognize'].includes(piece.text)) return true;
    // `CROSS APPLY (VALUES (a)) v (b)`.
    if (isWord(piece, 'apply') && (isWord(pieces[index - 1], 'cross') || isWord(pieces[index - 1], 'outer')))
      return true;
    // `FROM table alias (a, b)`, `AS alias (a, b)`, `WITH name (a, b) AS`.
    if (!isNamePiece(piece) || !isSign(pieces[index + 1], '(')) return false;
    const before = pieces[index - 1];
    if (isWord(before, 'as') && !isWord(piece, 'materialized') && !isWord(piece, 'not'))
      return !isType(piece.text) && pieces[index + 2]?.kind !== 'number';
    if (isWord(before, 'with') || isWord(before, 'recursive')) return true;
    const isAlias =
      before?.kind === 'identifier' ||
      (before?.kind === 'word' && !commonWords.has(before.text) && !afterTable.has(before.text));
    return isAlias && !afterTable.has(piece.text) && !commonWords.has(piece.text);
  });
}

/** Matches types with arguments: `CAST(x AS decimal(10, 2))` renames nothing. A column name is never a number. */
const isType = (text: string): boolean =>
  /^(char|varchar|nchar|nvarchar|character|decimal|numeric|dec|float|double|binary|varbinary|bit|time|timestamp|datetime|int|struct)/.test(
    text,
  );

const commonWords = new Set(
  `select from where and or not in on using values distinct all by having then else when case end exists any some over
  filter within group order limit offset union except intersect is null like ilike between as join lateral left right
  inner full cross natural outer interval explain with recursive partition rows range preceding following current row
  asc desc nulls first last materialized similar to regexp rlike glob match div mod xor escape collate ordinality`.split(
    /\s+/,
  ),
);

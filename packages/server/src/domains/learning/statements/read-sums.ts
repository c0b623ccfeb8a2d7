import { readBlocks } from './block-facts.ts';
import { blocksOf } from './blocks.ts';
import type { Comparison } from './read-comparisons.ts';
import type { From } from './read-from.ts';
import type { ColumnName, Join } from './read-statement.ts';
import type { Tokens } from './tokens.ts';

/** An aggregate that is wrong when a join repeats rows, with the data to detect repeated rows. */
export type Sum = {
  readonly name: 'sum' | 'avg';
  /** Aggregated columns. */
  readonly columns: readonly ColumnName[];
  /** Distinct tables of its SELECT. */
  readonly tables: readonly string[];
  /** Joins of its SELECT. */
  readonly joins: readonly Join[];
  /** Columns with one value in all aggregated rows: compared with one value, or grouped. */
  readonly fixed: readonly ColumnName[];
  /** Columns that must be NULL in its SELECT. */
  readonly nulls: readonly ColumnName[];
};

export type Names = { readonly from: From; readonly columnAt: ReadonlyMap<number, ColumnName> };
/** A join, and the token before its equals sign. */
export type JoinAt = { readonly index: number; readonly join: Join };

/** Bounds the work, because statements are untrusted and each sum requires a pass over the statement. */
const sumsMax = 50;

/** Returns sums and averages whose columns are all resolved. Omits DISTINCT aggregates and window functions. */
export function readSums(
  tokens: Tokens,
  names: Names,
  statement: { readonly joined: readonly JoinAt[]; readonly comparisons: readonly Comparison[] },
): Sum[] {
  const { all, is } = tokens;
  const calls = all.flatMap(({ lower }, index) =>
    (lower === 'sum' || lower === 'avg') && is(index + 1, '(') && !is(index - 1, '.')
      ? [{ index, name: lower } as const]
      : [],
  );
  if (calls.length === 0) return [];
  const blocks = blocksOf(tokens);
  const closing = closingOf(tokens);
  const facts = readBlocks(tokens, blocks, names, statement);
  return calls.slice(0, sumsMax).flatMap(({ index, name }): Sum[] => {
    const block = blocks[index] ?? 0;
    const tables = facts.tablesIn(block);
    const end = closing.get(index + 1);
    if (end === undefined) return [];
    const columns = columnsBetween(tokens, names, blocks, { open: index + 1, end });
    // With a self-join, the names do not identify which occurrence of the table is meant.
    if (!columns || columns.length === 0 || new Set(tables).size < tables.length) return [];
    if (is(end + 1, 'over') || is(end + 1, 'filter')) return [];
    return [
      {
        name,
        tables,
        columns,
        joins: facts.joinsIn(block),
        nulls: facts.nullsIn(block),
        fixed: [...facts.comparedIn(block), ...facts.groupedIn(block)],
      },
    ];
  });
}

/** Returns the columns between parentheses; undefined when one of them is unresolved. */
function columnsBetween(
  { is, isName }: Tokens,
  { columnAt }: Names,
  blocks: readonly number[],
  { open, end }: { readonly open: number; readonly end: number },
): ColumnName[] | undefined {
  const isType = (at: number): boolean => is(at - 1, ':') || is(at - 1, 'as');
  const isUnresolved = (at: number): boolean =>
    isName(at) && !columnAt.has(at) && !is(at + 1, '(') && !is(at + 1, '.') && !isType(at);
  const columns: ColumnName[] = [];
  for (let at = open; at < end; at += 1) {
    if (blocks[at] !== blocks[open] || is(at, 'distinct') || isUnresolved(at)) return undefined;
    const column = columnAt.get(at);
    if (column) columns.push(column);
  }
  return columns;
}

/** Returns the matching closing parenthesis of each opening one. */
function closingOf({ all, is }: Tokens): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const at of all.keys()) {
    if (is(at, '(')) open.push(at);
    if (!is(at, ')')) continue;
    const start = open.pop();
    if (start !== undefined) closing.set(start, at);
  }
  return closing;
}

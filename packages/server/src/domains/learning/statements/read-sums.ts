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

type Names = { readonly from: From; readonly columnAt: ReadonlyMap<number, ColumnName> };
/** A join, and the token before its equals sign. */
export type JoinAt = { readonly index: number; readonly join: Join };

/** Bounds the work, because statements are untrusted and each sum requires a pass over the statement. */
const sumsMax = 50;
const endsGroup = new Set(['having', 'order', 'limit', 'window', 'qualify', 'union', 'intersect', 'except']);

/** Returns sums and averages whose columns are all resolved. Omits DISTINCT aggregates and window functions. */
export function readSums(
  tokens: Tokens,
  { from, columnAt }: Names,
  {
    joined,
    comparisons,
  }: { readonly joined: readonly JoinAt[]; readonly comparisons: readonly Comparison[] },
): Sum[] {
  const { all, is, isName } = tokens;
  const names = all.flatMap(({ lower }, index) =>
    (lower === 'sum' || lower === 'avg') && is(index + 1, '(') && !is(index - 1, '.')
      ? [{ index, name: lower } as const]
      : [],
  );
  if (names.length === 0) return [];
  const counts = Map.groupBy(comparisons, ({ index }) => index);
  const blocks = blocksOf(tokens);

  const isType = (at: number): boolean => is(at - 1, ':') || is(at - 1, 'as');

  const closing = closingOf(tokens);

  /** Returns true for a token that names an unresolved column. */
  const isForeign = (at: number): boolean =>
    isName(at) && !columnAt.has(at) && !is(at + 1, '(') && !is(at + 1, '.') && !isType(at);

  /** Returns the columns between parentheses; undefined when one of them is unresolved. */
  const columnsIn = (open: number): { readonly columns: ColumnName[]; readonly end: number } | undefined => {
    const end = closing.get(open);
    if (end === undefined) return undefined;
    const columns: ColumnName[] = [];
    for (let at = open; at < end; at += 1) {
      if (blocks[at] !== blocks[open] || is(at, 'distinct') || isForeign(at)) return undefined;
      const column = columnAt.get(at);
      if (column) columns.push(column);
    }
    return { columns, end };
  };

  const tablesIn = oncePerBlock((block: number): string[] =>
    [...from.named].flatMap(([at, meaning]) =>
      blocks[at] === block && meaning.kind === 'Table' && meaning.name !== '' ? [meaning.name] : [],
    ),
  );

  const nullsIn = oncePerBlock((block: number): ColumnName[] =>
    [...columnAt].flatMap(([at, column]) =>
      blocks[at] === block && is(at + 1, 'is') && is(at + 2, 'null') ? [column] : [],
    ),
  );

  /** Returns the columns by which a SELECT groups. Resolves positions to the columns of the select list. */
  const groupedIn = oncePerBlock((block: number): ColumnName[] => {
    const within = all.flatMap((_, at) => (blocks[at] === block ? [at] : []));
    const start = within.find((at) => is(at, 'group') && is(at + 1, 'by'));
    if (start === undefined) return [];
    const end = within.find((at) => at > start && endsGroup.has(all[at]?.lower ?? ''));
    const grouped = within.filter((at) => at > start && at < (end ?? all.length));
    const isByNumber = grouped.some((at) => all[at]?.kind === 'number');
    const selected = isByNumber ? within.filter((at) => at < start) : [];
    return [...grouped, ...selected].map((at) => columnAt.get(at)).filter((column) => column !== undefined);
  });

  // A column that is compared with a list has several values.
  const comparedIn = oncePerBlock((block: number): ColumnName[] =>
    comparisons.flatMap((one) =>
      one.isEqual && blocks[one.index] === block && counts.get(one.index)?.length === 1 ? [one.column] : [],
    ),
  );

  const joinsIn = oncePerBlock((block: number): Join[] =>
    joined.flatMap(({ index, join }) => (blocks[index] === block ? [join] : [])),
  );

  return names.slice(0, sumsMax).flatMap(({ index, name }): Sum[] => {
    const block = blocks[index] ?? 0;
    const tables = tablesIn(block);
    const inside = columnsIn(index + 1);
    // With a self-join, the names do not identify which occurrence of the table is meant.
    if (!inside || inside.columns.length === 0 || new Set(tables).size < tables.length) return [];
    if (is(inside.end + 1, 'over') || is(inside.end + 1, 'filter')) return [];
    return [
      {
        name,
        tables,
        columns: inside.columns,
        joins: joinsIn(block),
        nulls: nullsIn(block),
        fixed: [...comparedIn(block), ...groupedIn(block)],
      },
    ];
  });
}

/** Returns the function with its results cached per block, because one block can contain many sums. */
function oncePerBlock<T>(find: (block: number) => T): (block: number) => T {
  const results = new Map<number, T>();
  return (block) => {
    const cached = results.get(block);
    if (cached !== undefined) return cached;
    const result = find(block);
    results.set(block, result);
    return result;
  };
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

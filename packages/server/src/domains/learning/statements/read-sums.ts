import { blocksOf } from './blocks.ts';
import type { Comparison } from './read-comparisons.ts';
import type { From } from './read-from.ts';
import type { ColumnName, Join } from './read-statement.ts';
import type { Tokens } from './tokens.ts';

/** An aggregate that comes out wrong where rows are repeated, with what decides whether they are. */
export type Sum = {
  readonly name: 'sum' | 'avg';
  /** What it is of. */
  readonly columns: readonly ColumnName[];
  /** Tables that its SELECT reads, each once. */
  readonly tables: readonly string[];
  /** Joins of its SELECT. */
  readonly joins: readonly Join[];
  /** Columns that have one value in all rows that it goes over: they are compared with one, or grouped by. */
  readonly fixed: readonly ColumnName[];
  /** Columns that have to be NULL in its SELECT. */
  readonly nulls: readonly ColumnName[];
};

type Names = { readonly from: From; readonly columnAt: ReadonlyMap<number, ColumnName> };
/** A join, and where its equals sign follows. */
export type JoinAt = { readonly index: number; readonly join: Join };

/** Each is looked for in the whole statement, which others may write. */
const sumsMax = 50;
const endsGroup = new Set(['having', 'order', 'limit', 'window', 'qualify', 'union', 'intersect', 'except']);

/** Sums and averages whose columns are all known. Those of distinct values and of windows are left out. */
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

  /** Whether a token names something that is no known column. */
  const isForeign = (at: number): boolean =>
    isName(at) && !columnAt.has(at) && !is(at + 1, '(') && !is(at + 1, '.') && !isType(at);

  /** The columns between parentheses; undefined where something there is none that is known. */
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

  /** Columns by which a SELECT groups; those that it selects where it names them by their number. */
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
    // A table that is read twice is two, and the names do not say which is meant.
    if (!inside || inside.columns.length === 0 || new Set(tables).size < tables.length) return [];
    if (is(inside.end + 1, 'over') || is(inside.end + 1, 'filter')) return [];
    return [
      {
        ...{ name, tables, columns: inside.columns },
        joins: joinsIn(block),
        nulls: nullsIn(block),
        fixed: [...comparedIn(block), ...groupedIn(block)],
      },
    ];
  });
}

/** Returns the function with its results cached by block: many sums are in one block. */
function oncePerBlock<T>(find: (block: number) => T): (block: number) => T {
  const found = new Map<number, T>();
  return (block) => {
    const cached = found.get(block);
    if (cached !== undefined) return cached;
    const result = find(block);
    found.set(block, result);
    return result;
  };
}

/** The closing parenthesis of each opening one that has one. */
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

import type { Comparison } from './read-comparisons.ts';
import type { ColumnName, Join } from './read-statement.ts';
import type { JoinAt, Names } from './read-sums.ts';
import type { Tokens } from './tokens.ts';

const endsGroup = new Set(['having', 'order', 'limit', 'window', 'qualify', 'union', 'intersect', 'except']);

/** Returns readers of the facts of one SELECT, by its block. @param blocks  Block of each token. */
export function readBlocks(
  { all, is }: Tokens,
  blocks: readonly number[],
  { from, columnAt }: Names,
  {
    joined,
    comparisons,
  }: { readonly joined: readonly JoinAt[]; readonly comparisons: readonly Comparison[] },
) {
  const comparisonsAt = Map.groupBy(comparisons, ({ index }) => index);
  return {
    tablesIn: oncePerBlock((block: number): string[] =>
      [...from.named].flatMap(([at, meaning]) =>
        blocks[at] === block && meaning.kind === 'Table' && meaning.name !== '' ? [meaning.name] : [],
      ),
    ),

    joinsIn: oncePerBlock((block: number): Join[] =>
      joined.flatMap(({ index, join }) => (blocks[index] === block ? [join] : [])),
    ),

    /** Returns the columns that must be NULL. */
    nullsIn: oncePerBlock((block: number): ColumnName[] =>
      [...columnAt].flatMap(([at, column]) =>
        blocks[at] === block && is(at + 1, 'is') && is(at + 2, 'null') ? [column] : [],
      ),
    ),

    /** Returns the columns that are compared with one value. A column that is compared with a list has several. */
    comparedIn: oncePerBlock((block: number): ColumnName[] =>
      comparisons.flatMap(({ isEqual, index, column }) =>
        isEqual && blocks[index] === block && comparisonsAt.get(index)?.length === 1 ? [column] : [],
      ),
    ),

    /** Returns the columns by which a SELECT groups. Resolves positions to the columns of the select list. */
    groupedIn: oncePerBlock((block: number): ColumnName[] => {
      const within = all.flatMap((_, at) => (blocks[at] === block ? [at] : []));
      const start = within.find((at) => is(at, 'group') && is(at + 1, 'by'));
      if (start === undefined) return [];
      const end = within.find((at) => at > start && endsGroup.has(all[at]?.lower ?? ''));
      const grouped = within.filter((at) => at > start && at < (end ?? all.length));
      const isByNumber = grouped.some((at) => all[at]?.kind === 'number');
      const selected = isByNumber ? within.filter((at) => at < start) : [];
      return [...grouped, ...selected].map((at) => columnAt.get(at)).filter((column) => column !== undefined);
    }),
  };
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

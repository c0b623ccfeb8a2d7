import { type Known, type KnownKey, tableNameOf } from '../grounding/index.ts';
import type { ReadStatement } from '../learning/index.ts';

type Sum = ReadStatement['sums'][number];

/** A join of two tables in a SELECT, with its columns on each side. */
type Step = {
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
};

const endOf = ({ schema, table, columns }: KnownKey['source']) => ({
  table: tableNameOf({ schema, name: table }),
  columns,
});

/** Returns the joins of a SELECT in both directions. */
function stepsOf(joins: Sum['joins']): Step[] {
  const byPair = Map.groupBy(joins, ([one, , other]) => JSON.stringify([one, other]));
  return [...byPair.values()].flatMap((pairs): Step[] => {
    const [from, , to] = pairs[0] ?? [];
    if (from === undefined || to === undefined) return [];
    const fromColumns = pairs.map(([, column]) => column);
    const toColumns = pairs.map(([, , , column]) => column);
    return [
      { from, to, fromColumns, toColumns },
      { from: to, to: from, fromColumns: toColumns, toColumns: fromColumns },
    ];
  });
}

/**
 * Returns advice for sums and averages whose rows a join repeats. A key leads from the other table to the summed one, and
 * no condition limits the other table to one row. Joins without a known key are ignored.
 */
export function multipliedAdvice(
  { sums }: Pick<ReadStatement, 'sums'>,
  { tables, keys }: Pick<Known, 'tables' | 'keys'>,
): string[] {
  const primaryOf = new Map(tables.map((table) => [tableNameOf(table), table.primaryKey]));
  const uniqueOf = new Map(
    tables.map((table) => [
      tableNameOf(table),
      [
        ...(table.primaryKey.length > 0 ? [table.primaryKey] : []),
        ...table.indexes.filter(({ isUnique }) => isUnique).map(({ columns }) => columns),
      ],
    ]),
  );
  const ends = keys.map(({ source, target }) => ({ source: endOf(source), target: endOf(target) }));

  /** Returns true if a key leads in this direction by exactly these columns. */
  const hasKey = (source: string, target: string, step: Step): boolean =>
    ends.some((key) => {
      if (key.source.table !== source || key.target.table !== target) return false;
      const [own, others] =
        source === step.from ? [step.fromColumns, step.toColumns] : [step.toColumns, step.fromColumns];
      return (
        key.source.columns.length === own.length &&
        key.source.columns.every((column, at) =>
          own.some((one, i) => one === column && others[i] === key.target.columns[at]),
        )
      );
    });

  /** Returns true if there is at most one row of the other table per row of the first. */
  const isOne = (step: Step, { fixed, nulls }: Sum): boolean => {
    const held = new Set([
      ...step.toColumns,
      ...fixed.filter(([table]) => table === step.to).map(([, column]) => column),
    ]);
    // A matching row has a non-null key, so a null key means that there is no match.
    const isAbsent = nulls.some(
      ([table, column]) =>
        table === step.to &&
        (step.toColumns.includes(column) || (primaryOf.get(table) ?? []).includes(column)),
    );
    return (
      isAbsent ||
      hasKey(step.from, step.to, step) ||
      (uniqueOf.get(step.to) ?? []).some((columns) => columns.every((column) => held.has(column)))
    );
  };

  /** Returns the first join that repeats the rows of the sum. */
  const repeating = (sum: Sum): Step | undefined => {
    const { columns, joins, tables: read } = sum;
    const own = new Set(columns.map(([table]) => table));
    if (![...own].every((table) => read.includes(table))) return undefined;
    const steps = stepsOf(joins);
    // The iteration includes elements that are added during the loop.
    for (const table of own)
      for (const step of steps) if (step.from === table && isOne(step, sum)) own.add(step.to);
    return steps.find((step) => own.has(step.from) && !own.has(step.to) && hasKey(step.to, step.from, step));
  };

  const advice = sums.flatMap((sum) => {
    const step = repeating(sum);
    if (!step) return [];
    const what = [...new Set(sum.columns.map((column) => column.join('.')))].join(', ');
    const verb = sum.name === 'sum' ? 'sums' : 'averages';
    return [
      `It ${verb} ${what} over a join with ${step.to}, which can have several rows for one of ${step.from}: values may count more than once.`,
    ];
  });
  return [...new Set(advice)];
}

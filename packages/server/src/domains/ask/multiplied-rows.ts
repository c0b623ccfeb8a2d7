import { type Known, type KnownKey, tableNameOf } from '../grounding/index.ts';
import type { ReadStatement } from '../learning/index.ts';

type Sum = ReadStatement['sums'][number];

/** A join of two tables of a SELECT: which columns of each it goes by. */
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

/** Columns of two tables that a SELECT joins by, both ways. */
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
 * Sums and averages of a table whose rows a join with another one repeats: a key leads from that one to it, and nothing
 * keeps it to one row. What no known key tells is left out.
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

  /** Whether a key leads that way by exactly these columns. */
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

  /** Whether there is at most one row of the other table for a row of the first. */
  const isOne = (step: Step, { fixed, nulls }: Sum): boolean => {
    const held = new Set([
      ...step.toColumns,
      ...fixed.filter(([table]) => table === step.to).map(([, column]) => column),
    ]);
    // A row that was found has its key: where that is NULL, none was.
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

  /** The first table that repeats the rows of the sum, and the one whose rows it repeats. */
  const repeating = (sum: Sum): Step | undefined => {
    const { columns, joins, tables: read } = sum;
    const own = new Set(columns.map(([table]) => table));
    if (![...own].every((table) => read.includes(table))) return undefined;
    const steps = stepsOf(joins);
    // A set is walked over with what is added to it meanwhile.
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

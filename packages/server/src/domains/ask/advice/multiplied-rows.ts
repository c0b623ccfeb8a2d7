import { type Knowledge, type KnownKey, tableNameOf } from '../../grounding/index.ts';
import type { ReadStatement } from '../../learning/index.ts';

type Sum = ReadStatement['sums'][number];

/** A join of two tables in a SELECT, with its columns on each side. */
type Step = {
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
};

type KeyEnd = { readonly table: string; readonly columns: readonly string[] };

const endOf = ({ schema, table, columns }: KnownKey['source']): KeyEnd => ({
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

/** Keys of the tables of a data source. Tables are named as in statements. */
type TableKeys = {
  readonly primaryOf: ReadonlyMap<string, readonly string[]>;
  /** Columns that identify at most one row: those of the primary key and of unique indexes. */
  readonly uniqueOf: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly foreign: readonly { readonly source: KeyEnd; readonly target: KeyEnd }[];
};

function tableKeysOf({ tables, keys }: Pick<Knowledge, 'tables' | 'keys'>): TableKeys {
  const uniqueOf = tables.map((table) => {
    const indexes = table.indexes.filter(({ isUnique }) => isUnique).map(({ columns }) => columns);
    return [
      tableNameOf(table),
      table.primaryKey.length > 0 ? [table.primaryKey, ...indexes] : indexes,
    ] as const;
  });
  return {
    primaryOf: new Map(tables.map((table) => [tableNameOf(table), table.primaryKey])),
    uniqueOf: new Map(uniqueOf),
    foreign: keys.map(({ source, target }) => ({ source: endOf(source), target: endOf(target) })),
  };
}

/** Returns true if a key leads in this direction by exactly the columns of the step. */
const hasKey = ({ foreign }: TableKeys, source: string, target: string, step: Step): boolean =>
  foreign.some((key) => {
    if (key.source.table !== source || key.target.table !== target) return false;
    const [sourceColumns, targetColumns] =
      source === step.from ? [step.fromColumns, step.toColumns] : [step.toColumns, step.fromColumns];
    return (
      key.source.columns.length === sourceColumns.length &&
      key.source.columns.every((column, at) =>
        sourceColumns.some((one, i) => one === column && targetColumns[i] === key.target.columns[at]),
      )
    );
  });

/** Returns true if there is at most one row of the other table per row of the first. */
function isOne(keys: TableKeys, step: Step, { fixed, nulls }: Sum): boolean {
  const limitedColumns = new Set([
    ...step.toColumns,
    ...fixed.filter(([table]) => table === step.to).map(([, column]) => column),
  ]);
  // A matching row has a non-null key, so a null key means that there is no match.
  const isAbsent = nulls.some(
    ([table, column]) =>
      table === step.to &&
      (step.toColumns.includes(column) || (keys.primaryOf.get(table) ?? []).includes(column)),
  );
  return (
    isAbsent ||
    hasKey(keys, step.from, step.to, step) ||
    (keys.uniqueOf.get(step.to) ?? []).some((columns) =>
      columns.every((column) => limitedColumns.has(column)),
    )
  );
}

/** Returns the first join that repeats the rows of the sum. */
function repeatingStep(keys: TableKeys, sum: Sum): Step | undefined {
  const { columns, joins, tables } = sum;
  const single = new Set(columns.map(([table]) => table));
  if (![...single].every((table) => tables.includes(table))) return undefined;
  const steps = stepsOf(joins);
  // The iteration includes elements that are added during the loop.
  for (const table of single)
    for (const step of steps) if (step.from === table && isOne(keys, step, sum)) single.add(step.to);
  return steps.find(
    (step) => single.has(step.from) && !single.has(step.to) && hasKey(keys, step.to, step.from, step),
  );
}

/**
 * Returns advice for sums and averages whose rows a join repeats. A key leads from the other table to the summed one, and
 * no condition limits the other table to one row. Joins without a known key are ignored.
 */
export function multipliedAdvice(
  { sums }: Pick<ReadStatement, 'sums'>,
  knowledge: Pick<Knowledge, 'tables' | 'keys'>,
): string[] {
  const keys = tableKeysOf(knowledge);
  const advice = sums.flatMap((sum) => {
    const step = repeatingStep(keys, sum);
    if (!step) return [];
    const summed = [...new Set(sum.columns.map((column) => column.join('.')))].join(', ');
    const verb = sum.name === 'sum' ? 'sums' : 'averages';
    return [
      `It ${verb} ${summed} over a join with ${step.to}, which can have several rows for one of ${step.from}: values may count more than once.`,
    ];
  });
  return [...new Set(advice)];
}

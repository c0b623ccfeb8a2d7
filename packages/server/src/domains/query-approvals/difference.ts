import { comparedRowsMax, type ResultComparison } from '@svc/contract';
import type { ReadResult } from './compare.ts';

type Column = ResultComparison['columns'][number];

/** Row without a counterpart. */
type Entry = { readonly cells: readonly unknown[]; readonly key: string | undefined };

/**
 * Compares two results, regardless of the order of rows. If both have the same columns, rows are equal when their
 * unmasked cells are equal. Otherwise the masked cells of the common columns decide. Rows that differ are paired by the
 * first column that identifies rows on both sides. Without such a column, a changed row is one removed and one added
 * row.
 */
export function differenceOf(before: ReadResult | undefined, after: ReadResult): ResultComparison {
  const columns = columnsOf(before, after);
  const identity = identityOf(before, after, columns);
  const key = before && keyOf(before, after);
  const shown = columns.map((column) => ({ ...column, isKey: column.name === key }));
  const entriesOf = (result: ReadResult, remainingByCode: Map<string, number>) => {
    const places = columns.map(({ name }) => result.columns.findIndex((column) => column.name === name));
    const keyPlace = result.columns.findIndex(({ name }) => name === key);
    return result.rows.flatMap((row, index): Entry[] => {
      const code = identity(result, index);
      const others = remainingByCode.get(code) ?? 0;
      if (others > 0) remainingByCode.set(code, others - 1);
      if (others > 0) return [];
      const cells = places.map((place) => (place === -1 ? null : (row[place] ?? null)));
      return [{ cells, key: keyPlace === -1 ? undefined : JSON.stringify(row[keyPlace]) }];
    });
  };
  const counted = (result: ReadResult) => {
    const counts = new Map<string, number>();
    for (const index of result.rows.keys()) {
      const code = identity(result, index);
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    return counts;
  };
  const gone = before ? entriesOf(before, counted(after)) : [];
  const come = entriesOf(after, before ? counted(before) : new Map());
  return {
    before: before ? sideOf(before) : null,
    after: sideOf(after),
    columns: shown,
    unchangedCount: after.rows.length - come.length,
    ...pairsOf(gone, come),
  };
}

const sideOf = ({ totalCount, isComplete, executionTimeMs }: ReadResult) => ({
  totalCount,
  isComplete,
  executionTimeMs,
});

/** Returns the columns of the newer result in its order, then the columns that only the older result has. */
function columnsOf(before: ReadResult | undefined, after: ReadResult): Omit<Column, 'isKey'>[] {
  const isMasked = (name: string) =>
    after.maskedColumns.has(name) || before?.maskedColumns.has(name) === true;
  const old = new Map(before?.columns.map(({ name, databaseType }) => [name, databaseType]));
  const changeOf = (name: string, type: string): Column['change'] => {
    if (!before) return null;
    if (!old.has(name)) return 'Added';
    return old.get(name) === type ? null : 'Retyped';
  };
  const namesAfter = new Set(after.columns.map(({ name }) => name));
  return [
    ...after.columns.map(({ name, databaseType }) => ({
      name,
      change: changeOf(name, databaseType),
      isMasked: isMasked(name),
    })),
    ...[...old.keys()]
      .filter((name) => !namesAfter.has(name))
      .map((name) => ({ name, change: 'Removed' as const, isMasked: isMasked(name) })),
  ];
}

/** Returns a function that computes the identity of a row. Equal rows have the same identity. */
function identityOf(
  before: ReadResult | undefined,
  after: ReadResult,
  columns: readonly Omit<Column, 'isKey'>[],
): (result: ReadResult, index: number) => string {
  const namesOf = ({ columns: named }: ReadResult) => JSON.stringify(named.map(({ name }) => name));
  if (!before || namesOf(before) === namesOf(after)) return (result, index) => result.codes[index] ?? '';
  const common = columns.filter(({ change }) => change !== 'Added' && change !== 'Removed');
  return (result, index) =>
    JSON.stringify(
      common.map(({ name }) => {
        const place = result.columns.findIndex((column) => column.name === name);
        return result.rows[index]?.[place] ?? null;
      }),
    );
}

/** Returns the first common column that is unmasked, never NULL and unique on each side. */
function keyOf(before: ReadResult, after: ReadResult): string | undefined {
  const tellsRowsApart = (result: ReadResult, name: string): boolean => {
    const place = result.columns.findIndex((column) => column.name === name);
    if (place === -1 || result.maskedColumns.has(name)) return false;
    const values = result.rows.map((row) => row[place] ?? null);
    return (
      !values.includes(null) && new Set(values.map((value) => JSON.stringify(value))).size === values.length
    );
  };
  return after.columns.find(({ name }) => tellsRowsApart(before, name) && tellsRowsApart(after, name))?.name;
}

/** Pairs rows that differ by their key. A row without a counterpart was removed or added. */
function pairsOf(gone: readonly Entry[], come: readonly Entry[]) {
  const byKey = new Map(
    come.flatMap((entry) => (entry.key === undefined ? [] : [[entry.key, entry] as const])),
  );
  const changed: { before: unknown[]; after: unknown[] }[] = [];
  const paired = new Set<Entry>();
  const removed: Entry[] = [];
  for (const entry of gone) {
    const other = entry.key === undefined ? undefined : byKey.get(entry.key);
    if (!other) {
      removed.push(entry);
      continue;
    }
    paired.add(other);
    changed.push({ before: [...entry.cells], after: [...other.cells] });
  }
  const added = come.filter((entry) => !paired.has(entry));
  const first = (entries: readonly Entry[]) =>
    entries.slice(0, comparedRowsMax).map(({ cells }) => [...cells]);
  return {
    addedCount: added.length,
    removedCount: removed.length,
    changedCount: changed.length,
    added: first(added),
    removed: first(removed),
    changed: changed.slice(0, comparedRowsMax),
  };
}

import type { Cell } from '@svc/connectors';
import type { RowChange, RowMemory } from '@svc/contract';
import type { FingerprintRequest, RunBatch, RunColumn, RunResult } from '../../gateways/run-sql/index.ts';
import { type ComparedTables, createBatchComparison } from './batch-comparison.ts';
import type { TableTotals } from './key-table.ts';
import { inBatches, type LateRow } from './late-rows.ts';
import { createWaitingRows } from './waiting-rows.ts';

/** Changes of a subscription's rows since its stored rows. */
export type RowChanges = {
  /** True: no rows were stored. Later runs compare with the rows of this run. */
  readonly isBaseline: boolean;
  /** Number of distinct keys in the result. */
  readonly rowCount: number;
  readonly newCount: number;
  readonly changedCount: number;
  readonly vanishedCount: number;
  /** Number of these changes that the subscription reports. */
  readonly reportedCount: number;
  readonly duplicateKeyCount: number;
  /** Kinds of changes that the subscription reports. */
  readonly reportedKinds: readonly RowChange[];
};

/** Input of a comparison. */
export type ComparisonInput = ComparedTables & {
  readonly rule: RowMemory;
  /** Returns true if the stored contents cover the same columns. */
  readonly comparesContents: (columns: readonly string[]) => boolean;
};

const emptyTotals: TableTotals = { rowCount: 0, duplicateKeyCount: 0, vanishedCount: 0 };

export type RowComparison = ReturnType<typeof compareRows>;

/**
 * Compares the rows of a result in one pass. Yields the rows to report, with their change in an additional column.
 *
 * @param turn  Yields to other work.
 */
export function compareRows(input: ComparisonInput, turn: () => Promise<void>) {
  const { rule, stored, comparesContents, next, keyIds } = input;
  const reportedChanges = new Set<RowChange>(rule.changes);
  const waiting = createWaitingRows({ areReported: reportedChanges.has('Changed') });
  const comparison = createBatchComparison(input, reportedChanges, waiting);
  let totals = emptyTotals;
  let [lateChangedCount, vanishedCount] = [0, 0];
  let columns: readonly string[] = [];

  async function* reportedRows(
    batches: AsyncIterable<RunBatch>,
    resultColumns: readonly RunColumn[],
  ): AsyncGenerator<RunBatch> {
    const keyPlaces = rule.keyColumns.map((name) =>
      resultColumns.findIndex((column) => column.name === name),
    );
    const compared = { keyPlaces, areContentsComparable: comparesContents(columns) };
    for await (const batch of batches) {
      const { rows, changes, codes } = comparison.compare(batch, compared);
      if (rows.length > 0)
        yield {
          rowCount: rows.length,
          columns: [...batch.columns.map((column) => rows.map((row) => column[row] ?? null)), changes],
          fingerprints: [codes],
        };
    }
    totals = await next.totals(turn);
    if (stored === null) return;
    vanishedCount = (stored === next ? totals : await stored.totals(turn)).vanishedCount;
    lateChangedCount = waiting.countChanged(stored);
    yield* inBatches(waiting.changed(stored), resultColumns.length + 1);
    if (reportedChanges.has('Vanished'))
      yield* inBatches(
        vanishedRows(stored.vanishedKeys(), resultColumns, keyPlaces),
        resultColumns.length + 1,
      );
  }

  return {
    /** Returns the fingerprint request for the run-SQL gateway. */
    fingerprints: (domain: number): FingerprintRequest => ({
      domain,
      keyColumns: rule.keyColumns,
      watchedColumns: rule.watchedColumns,
      routeColumn: null,
      keyIds: [...new Set(stored === null ? [keyIds.current] : [keyIds.current, keyIds.stored])],
    }),

    /** Returns a result that contains only the rows to report. */
    apply: (result: RunResult): RunResult => {
      columns = rule.watchedColumns ?? result.columns.map(({ name }) => name);
      const change: RunColumn = { name: freeName(result.columns), kind: 'text', databaseType: 'text' };
      return {
        ...result,
        columns: [...result.columns, change],
        batches: reportedRows(result.batches, result.columns),
      };
    },

    /** Returns the columns whose cells are compared. Call it after `apply`. */
    columns: (): readonly string[] => columns,
    totals: (): TableTotals => totals,

    /** Returns the changes. Call it after every row of the result has passed. */
    changes: (): RowChanges => {
      const { New: newCount, Changed } = comparison.counts();
      const changedCount = Changed + lateChangedCount;
      const counts = { New: newCount, Changed: changedCount, Vanished: vanishedCount };
      return {
        isBaseline: stored === null,
        rowCount: totals.rowCount,
        newCount,
        changedCount,
        vanishedCount,
        reportedCount: rule.changes.reduce((sum, change) => sum + counts[change], 0),
        duplicateKeyCount: totals.duplicateKeyCount,
        reportedKinds: rule.changes,
      };
    },
  };
}

/** Yields a row for each vanished key: only its key cells have values. */
function* vanishedRows(
  keys: Iterable<readonly Cell[]>,
  resultColumns: readonly RunColumn[],
  keyPlaces: readonly number[],
): Generator<LateRow> {
  for (const key of keys) {
    const cells: Cell[] = resultColumns.map(() => null);
    for (const [index, place] of keyPlaces.entries()) cells[place] = key[index] ?? null;
    yield { cells: [...cells, 'Vanished'], codes: null };
  }
}

/** Returns the name of the column with the change. A column of the query with the same name is not renamed. */
function freeName(columns: readonly RunColumn[]): string {
  const columnNames = new Set(columns.map(({ name }) => name));
  let name = 'change';
  for (let number = 2; columnNames.has(name); number += 1) name = `change_${number}`;
  return name;
}

import type { Cell } from '@svc/connectors';
import type { RowChange, RowMemory } from '@svc/contract';
import {
  type FingerprintRequest,
  fingerprintBytes,
  type RowFingerprints,
  type RunBatch,
  type RunColumn,
  type RunResult,
} from '../../gateways/run-sql/index.ts';
import type { KeyTable, Seen, Verdict } from './key-table.ts';

/** Changes of a subscription's rows since its stored rows. */
export type RowFinding = {
  /** True: no rows were stored. Later runs compare with the rows of this run. */
  readonly isBaseline: boolean;
  /** Number of distinct keys in the result. */
  readonly rowCount: number;
  readonly newCount: number;
  readonly changedCount: number;
  readonly vanishedCount: number;
  /** Number of these changes that the subscription reports. */
  readonly toldCount: number;
  readonly duplicateKeyCount: number;
  /** Kinds of changes that the subscription reports. */
  readonly changes: readonly RowChange[];
};

/** Input of a comparison. */
export type ComparedWith = {
  readonly rule: RowMemory;
  /** Null: no rows are stored yet. */
  readonly known: KeyTable | null;
  /** Returns true if the stored contents cover the same columns. */
  readonly comparesContents: (columns: readonly string[]) => boolean;
  /** Table for the rows of this run: `known`, or another one under another key. */
  readonly next: KeyTable;
  readonly keyIds: { readonly current: string; readonly known: string };
};

/**
 * Maximum number of waiting rows. Their keys were shared by several rows before, so the verdict needs the last row.
 * Further rows are counted but not reported.
 */
const heldRowsMax = 10_000;

/** The result lacks columns by which rows are compared. */
export class ColumnsMissing extends Error {
  override readonly name = 'ColumnsMissing';
  readonly columns: readonly string[];
  constructor(columns: readonly string[]) {
    super('The result does not have every column that rows are compared by.');
    this.columns = columns;
  }
}

const emptySeen: Seen = { rowCount: 0, duplicateKeyCount: 0, vanishedCount: 0 };

export type RowComparison = ReturnType<typeof compareRows>;

/**
 * Compares the rows of a result in one pass. Yields the rows to report, with their change in an additional column.
 *
 * @param turn  Yields to other work.
 */
export function compareRows(
  { rule, known: storedTable, comparesContents, next, keyIds }: ComparedWith,
  turn: () => Promise<void>,
) {
  const reportedChanges = new Set<RowChange>(rule.changes);
  let [newCount, changedCount] = [0, 0];
  let seen = emptySeen;
  let vanishedCount = 0;
  let columns: readonly string[] = [];
  const held: HeldRow[] = [];
  const heldPlaces = new Map<number, number>();

  const codesUnder = (batch: RunBatch, keyId: string): RowFingerprints => {
    const codes = batch.fingerprints?.find((each) => each.keyId === keyId);
    if (!codes) throw new Error('A batch came without the fingerprints that were asked for.');
    return codes;
  };

  /**
   * Compares the rows of a batch and stores them in the tables. @returns the rows to report now, with their changes.
   */
  const observe = (batch: RunBatch, keyPlaces: readonly number[], isCompared: boolean) => {
    const rows: number[] = [];
    const changes: RowChange[] = [];
    const current = codesUnder(batch, keyIds.current);
    const earlier = storedTable === null || storedTable === next ? current : codesUnder(batch, keyIds.known);
    const take = (row: number, change: RowChange) => {
      if (change === 'New') newCount += 1;
      else changedCount += 1;
      if (!reportedChanges.has(change)) return;
      rows.push(row);
      changes.push(change);
    };
    const decide = (row: number, verdict: Verdict) => {
      if (verdict === 'New') take(row, 'New');
      else if (verdict === 'Changed' && isCompared) take(row, 'Changed');
      else if (verdict === 'Undecided' && isCompared)
        hold(storedTable?.placeOf(earlier.keys, row) ?? -1, batch, row, current);
    };
    for (let row = 0; row < batch.rowCount; row += 1) {
      const maskedKey = () => keyPlaces.map((place) => batch.columns[place]?.[row] ?? null);
      if (storedTable !== next) next.observe(current, row, maskedKey);
      if (storedTable !== null) decide(row, storedTable.observe(earlier, row, maskedKey));
    }
    return { rows, changes, codes: routesOfRows(current, rows) };
  };

  const hold = (place: number, batch: RunBatch, row: number, codes: RowFingerprints): void => {
    heldPlaces.set(place, (heldPlaces.get(place) ?? 0) + 1);
    if (held.length < heldRowsMax && reportedChanges.has('Changed'))
      held.push({
        place,
        cells: batch.columns.map((column) => column[row] ?? null),
        codes: routesOfRows(codes, [row]),
      });
  };

  async function* reportedRows(
    batches: AsyncIterable<RunBatch>,
    resultColumns: readonly RunColumn[],
  ): AsyncGenerator<RunBatch> {
    const keyPlaces = rule.keyColumns.map((name) =>
      resultColumns.findIndex((column) => column.name === name),
    );
    const isCompared = comparesContents(columns);
    for await (const batch of batches) {
      const { rows, changes, codes } = observe(batch, keyPlaces, isCompared);
      if (rows.length > 0)
        yield {
          rowCount: rows.length,
          columns: [...batch.columns.map((column) => rows.map((row) => column[row] ?? null)), changes],
          fingerprints: [codes],
        };
    }
    seen = await next.seen(turn);
    if (storedTable !== null)
      vanishedCount = (storedTable === next ? seen : await storedTable.seen(turn)).vanishedCount;
    yield* inBatches(lateRows(resultColumns, keyPlaces), resultColumns.length + 1);
  }

  /** Yields changes that are certain only after the last row: of keys that several rows share, and of vanished rows. */
  function* lateRows(resultColumns: readonly RunColumn[], keyPlaces: readonly number[]): Generator<LateRow> {
    for (const [place, rowCount] of heldPlaces) if (storedTable?.hasChanged(place)) changedCount += rowCount;
    for (const { place, cells, codes } of held)
      if (storedTable?.hasChanged(place)) yield { cells: [...cells, 'Changed'], codes };
    if (storedTable === null || !reportedChanges.has('Vanished')) return;
    for (const key of storedTable.vanishedKeys()) {
      const cells: Cell[] = resultColumns.map(() => null);
      for (const [index, place] of keyPlaces.entries()) cells[place] = key[index] ?? null;
      yield { cells: [...cells, 'Vanished'], codes: null };
    }
  }

  return {
    /** Returns the fingerprint request for the run-SQL gateway. */
    fingerprints: (domain: number): FingerprintRequest => ({
      domain,
      keyColumns: rule.keyColumns,
      watchedColumns: rule.watchedColumns,
      routeColumn: null,
      keyIds: [...new Set([keyIds.current, ...(storedTable === null ? [] : [keyIds.known])])],
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
    seen: (): Seen => seen,

    /** Returns the changes. Call it after every row of the result has passed. */
    finding: (): RowFinding => {
      const counts = { New: newCount, Changed: changedCount, Vanished: vanishedCount };
      return {
        isBaseline: storedTable === null,
        rowCount: seen.rowCount,
        newCount,
        changedCount,
        vanishedCount,
        toldCount: rule.changes.reduce((sum, change) => sum + counts[change], 0),
        duplicateKeyCount: seen.duplicateKeyCount,
        changes: rule.changes,
      };
    },
  };
}

/** Row that follows all others, with its route codes if they are known. */
type LateRow = { readonly cells: readonly Cell[]; readonly codes: RowFingerprints | null };
type HeldRow = { readonly place: number; readonly cells: readonly Cell[]; readonly codes: RowFingerprints };

/** Returns the route codes of some rows of a batch. Omits keys and contents, because they are compared already. */
function routesOfRows({ keyId, routes }: RowFingerprints, rows: readonly number[]): RowFingerprints {
  const size = fingerprintBytes.route;
  const some = routes && Buffer.concat(rows.map((row) => routes.subarray(row * size, (row + 1) * size)));
  return { keyId, keys: noCodes, contents: noCodes, routes: some };
}

const noCodes = Buffer.alloc(0);

/** Returns the name of the column with the change. A column of the query with the same name is not renamed. */
function freeName(columns: readonly RunColumn[]): string {
  const columnNames = new Set(columns.map(({ name }) => name));
  let name = 'change';
  for (let number = 2; columnNames.has(name); number += 1) name = `change_${number}`;
  return name;
}

const rowsInBatch = 1_000;

function* inBatches(rows: Iterable<LateRow>, width: number): Generator<RunBatch> {
  let some: LateRow[] = [];
  for (const row of rows) {
    some.push(row);
    if (some.length < rowsInBatch) continue;
    yield batchOf(some, width);
    some = [];
  }
  if (some.length > 0) yield batchOf(some, width);
}

function batchOf(rows: readonly LateRow[], width: number): RunBatch {
  const codes = rows.flatMap((row) => row.codes ?? []);
  const [first] = codes;
  return {
    rowCount: rows.length,
    columns: Array.from({ length: width }, (_, column) => rows.map(({ cells }) => cells[column] ?? null)),
    // Vanished rows have no route codes.
    ...(first &&
      codes.length === rows.length && {
        fingerprints: [
          { ...first, routes: first.routes && Buffer.concat(codes.flatMap(({ routes }) => routes ?? [])) },
        ],
      }),
  };
}

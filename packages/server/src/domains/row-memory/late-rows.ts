import type { Cell } from '@svc/connectors';
import { fingerprintBytes, type RowFingerprints, type RunBatch } from '../../gateways/run-sql/index.ts';

/** Row that is reported after the last row of the result, with its route codes if they exist. */
export type LateRow = { readonly cells: readonly Cell[]; readonly codes: RowFingerprints | null };

/** Returns the route codes of some rows of a batch. Omits keys and contents, because they are compared already. */
export function routesOfRows({ keyId, routes }: RowFingerprints, rows: readonly number[]): RowFingerprints {
  const size = fingerprintBytes.route;
  const some = routes && Buffer.concat(rows.map((row) => routes.subarray(row * size, (row + 1) * size)));
  return { keyId, keys: noCodes, contents: noCodes, routes: some };
}

const noCodes = Buffer.alloc(0);

const rowsInBatch = 1_000;

/** Groups late rows into batches. @param width  Number of columns. */
export function* inBatches(rows: Iterable<LateRow>, width: number): Generator<RunBatch> {
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

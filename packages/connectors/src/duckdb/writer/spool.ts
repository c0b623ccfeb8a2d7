import { type FileHandle, open } from 'node:fs/promises';
import { ConnectorError } from '../../error.ts';
import type { Batch } from '../../values.ts';
import type { RefusedRows, RejectedRow, RejectionCode, WrittenColumn } from '../../writers/port.ts';
import { createRowBytes } from '../../writers/row-bytes.ts';
import type { FieldEncoder } from './encode.ts';

const chunkBytesWanted = 256 * 1024;
/** Longest line that the engine reads, from the spool as well as from the new file. */
const lineBytesMax = 2_000_000;
/** Most bytes of a UTF-16 code unit in UTF-8. */
const bytesPerUnitMax = 3;
const bytesPerMegabyte = 1_000_000;

export type RowSpool = {
  readonly write: (batch: Batch, refused: RefusedRows) => Promise<readonly RejectedRow[]>;
  /** Waits until all rows are in the file. */
  readonly flush: () => Promise<readonly RejectedRow[]>;
  readonly close: () => Promise<void>;
};

/** Opens a CSV file for the engine. Each line contains the row number and a field for each column. */
export async function openRowSpool(options: {
  readonly path: string;
  readonly megabytesMax: number;
  readonly columns: readonly WrittenColumn[];
  readonly encoders: readonly FieldEncoder[];
  readonly keyColumns: readonly string[];
  readonly assertGoesOn: () => void;
}): Promise<RowSpool> {
  const { columns, encoders, keyColumns, megabytesMax, assertGoesOn } = options;
  const keys = keyColumns.map((name) => columns.findIndex(({ to }) => to === name));
  const file: FileHandle = await open(options.path, 'wx', 0o600);
  const waiting = createRowBytes();
  let [rowNumber, bytes] = [0, 0];
  const rejected: RejectedRow[] = [];
  const fields = new Array<string>(encoders.length + 1).fill('');

  async function send(): Promise<void> {
    if (waiting.rows() === 0) return;
    bytes += waiting.size();
    if (bytes > megabytesMax * bytesPerMegabyte) {
      throw new ConnectorError(
        'out-of-memory',
        `The rows need more temporary space than the ${megabytesMax} MB that a statement on files is given.`,
      );
    }
    assertGoesOn();
    await file.appendFile(waiting.part(0, waiting.rows()));
    waiting.clear();
  }

  const keyOf = (batch: Batch, row: number): string | null =>
    keys.length === 0 ? null : keys.map((at) => String(batch.columns[at]?.[row] ?? '')).join(', ');

  function reject(batch: Batch, row: number, column: number | null, code: RejectionCode): void {
    // The report omits a key that is personal data itself.
    const isSecret = code === 'personal-data' && column !== null && keys.includes(column);
    const name = column === null ? null : (columns[column]?.to ?? null);
    rejected.push({ rowNumber, key: isSecret ? null : keyOf(batch, row), column: name, code });
  }

  function addRow(batch: Batch, row: number, refusedFor: number | undefined): void {
    rowNumber += 1;
    if (refusedFor !== undefined) {
      reject(batch, row, refusedFor, 'personal-data');
      return;
    }
    fields[0] = String(rowNumber);
    for (let at = 0; at < encoders.length; at++) {
      const cell = batch.columns[at]?.[row] ?? null;
      const field = cell === null ? '' : encoders[at]?.encode(cell);
      if (typeof field === 'string') fields[at + 1] = field;
      else if (field) {
        reject(batch, row, at, field.code);
        return;
      }
    }
    const line = `${fields.join(',')}\n`;
    if (line.length * bytesPerUnitMax > lineBytesMax && Buffer.byteLength(line) > lineBytesMax) {
      reject(batch, row, null, 'too-long');
      return;
    }
    waiting.add(line);
  }

  const takeRejected = (): readonly RejectedRow[] => rejected.splice(0);

  return {
    write: async (batch, refused) => {
      for (let row = 0; row < batch.rowCount; row++) {
        addRow(batch, row, refused.get(row));
        if (waiting.size() >= chunkBytesWanted) await send();
      }
      return takeRejected();
    },
    flush: async () => {
      await send();
      return takeRejected();
    },
    close: () => file.close(),
  };
}

import type { RunResult } from '../../../gateways/run-sql/index.ts';
import { dataLine } from './framing.ts';

/** Masked rows of a result, up to the limits. */
export type ReadRows = {
  readonly columns: readonly {
    readonly name: string;
    readonly kind: string;
    readonly isMasked: boolean;
    /** Reason for masking and how to change it. Absent when the column is not masked. */
    readonly maskedReason?: string;
  }[];
  readonly rows: readonly (readonly unknown[])[];
  /** Rows as lines of a frame. */
  readonly lines: readonly string[];
  readonly resultBytes: number;
  /** Limit that cut the rows. */
  readonly truncatedBy: 'Rows' | 'Bytes' | null;
  readonly maskedColumns: readonly string[];
  readonly executionTimeMs: number;
};

/** Reads rows up to the limits. Stopping early cancels the statement. A row that does not fit completely is omitted. */
export async function readRows(
  result: RunResult,
  caps: { readonly maxRows: number; readonly maxBytes: number },
): Promise<ReadRows> {
  const rows: unknown[][] = [];
  const lines: string[] = [];
  let bytes = 0;
  let truncatedBy: ReadRows['truncatedBy'] = null;
  walk: for await (const { rowCount, columns } of result.batches) {
    for (let index = 0; index < rowCount; index += 1) {
      if (rows.length >= caps.maxRows) {
        truncatedBy = 'Rows';
        break walk;
      }
      const row = columns.map((cells) => cells[index] ?? null);
      const line = dataLine(row);
      const lineBytes = Buffer.byteLength(line) + 1;
      if (bytes + lineBytes > caps.maxBytes) {
        truncatedBy = 'Bytes';
        break walk;
      }
      bytes += lineBytes;
      rows.push(row);
      lines.push(line);
    }
  }
  const { maskedColumns, maskingReasons, executionTimeMs } = await result.finished;
  const masked = new Set(maskedColumns);
  return {
    columns: result.columns.map(({ name, kind }) => {
      const maskedReason = maskingReasons.get(name);
      return { name, kind, isMasked: masked.has(name), ...(maskedReason !== undefined && { maskedReason }) };
    }),
    rows,
    lines,
    resultBytes: bytes,
    truncatedBy,
    maskedColumns,
    executionTimeMs,
  };
}

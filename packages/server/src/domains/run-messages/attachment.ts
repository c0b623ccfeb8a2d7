import type { AttachmentFormat } from '@svc/contract';
import { type RunColumn, tabularColumns } from '../../gateways/run-sql/index.ts';
import { csvOf, fileNameOf, type TabularBatch, xlsxOf } from '../../platform/tabular/index.ts';

const formats = {
  Csv: { extension: 'csv', contentType: 'text/csv; charset=utf-8' },
  Xlsx: {
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
} as const;

/** Name and type of a file, before its rows are written. */
export type AttachmentHead = { readonly name: string; readonly contentType: string };

export const attachmentHead = (queryName: string, format: AttachmentFormat): AttachmentHead => ({
  name: fileNameOf(queryName, formats[format].extension),
  contentType: formats[format].contentType,
});

/** Streams rows as a file. Reads all batches, also when fewer rows are needed, so that all rows are counted. */
export function fileOf(
  format: AttachmentFormat,
  columns: readonly RunColumn[],
  batches: AsyncIterable<TabularBatch>,
): AsyncIterable<Buffer> {
  const tabular = tabularColumns(columns);
  if (format === 'Xlsx') return xlsxOf(tabular, batches);
  return bytesOf(csvOf(tabular, batches));
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text, 'utf8');
}

/** Yields the first rows of the batches. Reads the remaining batches without yielding them. */
export async function* firstRows(
  batches: AsyncIterable<TabularBatch>,
  rowsMax: number,
): AsyncGenerator<TabularBatch> {
  let remaining = rowsMax;
  for await (const batch of batches) {
    if (remaining === 0) continue;
    const rowCount = Math.min(remaining, batch.rowCount);
    remaining -= rowCount;
    yield rowCount === batch.rowCount
      ? batch
      : { rowCount, columns: batch.columns.map((column) => column.slice(0, rowCount)) };
  }
}

/** Yields bytes in parts of equal size, except for the last part. */
export async function* inParts(chunks: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < partBytes) continue;
    const joined = Buffer.concat(waiting);
    let at = 0;
    for (; joined.length - at >= partBytes; at += partBytes) yield joined.subarray(at, at + partBytes);
    waiting = [joined.subarray(at)];
    waitingBytes = joined.length - at;
  }
  if (waitingBytes > 0) yield Buffer.concat(waiting);
}

import { plural } from '@svc/contract/wording';
import { ConnectorError } from '../error.ts';
import type { Batch, Column } from '../values.ts';
import type { Channel } from './entry.ts';
import type { JobLimits, StatementReads } from './messages.ts';

/** Batches of a statement that runs in this process. */
export type RowSource = {
  readonly columns: readonly Column[];
  readonly reads?: StatementReads;
  /** Returns the next rows; undefined after the last. */
  readonly next: () => Promise<Batch | undefined> | Batch | undefined;
  readonly close: () => void;
};

/** Sends the columns, then one batch for each `next`, until the rows end, a limit is exceeded or the parent sends `stop`. */
export async function sendRows(source: RowSource, channel: Channel, limits: JobLimits): Promise<void> {
  try {
    const { columns, reads } = source;
    channel.send({ type: 'columns', columns, ...(reads && { reads }) });
    let rowCount = 0;
    let byteCount = 0;
    for (;;) {
      const batch = await source.next();
      if (batch) {
        rowCount += batch.rowCount;
        byteCount += measure(batch, limits.maxCellBytes);
      }
      if (rowCount > limits.maxRows) {
        throw new ConnectorError(
          'too-many-rows',
          `The result has more than ${plural(limits.maxRows, 'row')}.`,
        );
      }
      if (byteCount > limits.maxBytes) {
        throw new ConnectorError(
          'too-many-bytes',
          `The result has more than ${plural(limits.maxBytes, 'byte')}.`,
        );
      }
      const message = await channel.receive();
      if (message.type !== 'next' || !batch) return;
      channel.send({ type: 'batch', batch });
    }
  } finally {
    source.close();
  }
}

const plainCellBytes = 8;

/** Counts the bytes of a batch. Texts count by UTF-16 units, which never exceed their bytes. */
function measure(batch: Batch, maxCellBytes: number): number {
  let bytes = 0;
  for (const column of batch.columns) {
    for (const cell of column) {
      if (typeof cell !== 'string') {
        bytes += plainCellBytes;
        continue;
      }
      if (cell.length > maxCellBytes) {
        throw new ConnectorError(
          'value-too-large',
          `A value of the result has more than ${plural(maxCellBytes, 'byte')}.`,
        );
      }
      bytes += cell.length;
    }
  }
  return bytes;
}

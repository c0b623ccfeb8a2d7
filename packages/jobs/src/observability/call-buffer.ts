import { CallBatch } from '../sql/endpoints/call-batch.ts';
import type { EndpointCall } from '../sql/endpoints/endpoint-calls.ts';

/**
 * Bounded buffer of rows. A row added to a full buffer replaces the oldest row, which is counted as dropped. Taken rows
 * count towards the capacity until they are stored or returned.
 */
export type CallBuffer = {
  add(call: EndpointCall): void;
  /** Takes the oldest batches, at most `rowsMax` rows. Call it only after earlier batches were stored or returned. */
  take(rowsMax: number): CallBatch[];
  /** Confirms that the taken batches were stored. */
  forget(): void;
  /** Returns the taken batches to the front of the buffer, as far as there is room. */
  putBack(batches: readonly CallBatch[]): void;
  /** Returns the number of waiting rows. */
  size(): number;
  /** Returns the total number of dropped rows. */
  dropped(): number;
};

/**
 * Maximum number of rows per batch, regardless of the configured size. `COPY` collects up to 1,000 rows before it
 * stores them. Each row references its row type in a table where all these references share one slot, so the cost per
 * row grows with their number.
 */
const blockRowsMax = 100;
const blockBytesMin = 4_096;
const blockBytesMax = 262_144;
/** Maximum memory of empty blocks that are retained for reuse. */
const spareBytesMax = 2_097_152;

/**
 * Creates an empty buffer.
 *
 * @param capacity maximum number of rows.
 * @param batchSize maximum number of rows per batch.
 */
export function createCallBuffer(capacity: number, batchSize: number): CallBuffer {
  const blockRows = Math.min(batchSize, blockRowsMax);
  const blocks: CallBatch[] = [];
  let waitingCount = 0;
  let takenCount = 0;
  let droppedCount = 0;
  let bytesExpected = blockBytesMin;
  /** Taken batches whose memory may be reused once they are stored. */
  let taken: CallBatch[] = [];
  const spares: CallBatch[] = [];
  let spareBytes = 0;
  /** Blocks whose transfer failed. A connection that is being closed may still reference their memory. */
  const unsafe = new WeakSet<CallBatch>();

  const spare = (block: CallBatch) => {
    if (block.size > blockBytesMax || spareBytes + block.size > spareBytesMax || unsafe.has(block)) return;
    block.clear();
    spareBytes += block.size;
    spares.push(block);
  };

  const dropOldest = () => {
    const [oldest] = blocks;
    oldest?.dropFirst();
    if (oldest?.count === 0) {
      blocks.shift();
      spare(oldest);
    }
    waitingCount -= 1;
    droppedCount += 1;
  };

  const openBlock = (call: EndpointCall): CallBatch => {
    const last = blocks.at(-1);
    if (last && last.addedCount < blockRows && last.takes(call)) return last;
    // New blocks are as large as the last one.
    if (last) bytesExpected = Math.min(blockBytesMax, Math.max(blockBytesMin, last.bytes.length));
    const spareBatch = spares.pop();
    if (spareBatch) spareBytes -= spareBatch.size;
    const made = spareBatch ?? new CallBatch(bytesExpected);
    blocks.push(made);
    return made;
  };

  return {
    add: (call) => {
      // The newest row is retained even when the taken rows fill the capacity.
      if (waitingCount > 0 && waitingCount + takenCount >= capacity) dropOldest();
      openBlock(call).add(call);
      waitingCount += 1;
    },
    take: (rowsMax) => {
      takenCount = 0;
      let count = 0;
      for (const block of blocks) {
        if (takenCount + block.count > rowsMax) break;
        takenCount += block.count;
        count += 1;
      }
      taken = blocks.splice(0, count);
      waitingCount -= takenCount;
      if (taken[0]) bytesExpected = Math.min(blockBytesMax, Math.max(blockBytesMin, taken[0].bytes.length));
      return taken;
    },
    forget: () => {
      takenCount = 0;
      for (const block of taken) spare(block);
      taken = [];
    },
    putBack: (batches) => {
      takenCount = 0;
      taken = [];
      blocks.unshift(...batches);
      for (const rows of batches) {
        unsafe.add(rows);
        waitingCount += rows.count;
      }
      while (waitingCount > capacity) dropOldest();
    },
    size: () => waitingCount,
    dropped: () => droppedCount,
  };
}

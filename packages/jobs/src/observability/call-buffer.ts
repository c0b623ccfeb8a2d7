import { CallBatch } from '../sql/endpoints/call-batch.ts';
import type { EndpointCall } from '../sql/endpoints/endpoint-calls.ts';

/**
 * A bounded buffer of rows: what is added to a full one pushes out the oldest, which is counted. What was taken belongs
 * to it until it is known to be stored.
 */
export type CallBuffer = {
  add(call: EndpointCall): void;
  /** Takes the oldest batches, so many rows at most; once what was taken before is stored or put back. */
  take(rowsMax: number): CallBatch[];
  /** What was taken is stored. */
  forget(): void;
  /** Puts back what was taken, before what came since, as far as there is room. */
  putBack(batches: readonly CallBatch[]): void;
  /** How many wait to be taken. */
  size(): number;
  /** How many were dropped in all. */
  dropped(): number;
};

/**
 * Rows of a batch at most, whatever is asked for. `COPY` collects up to 1,000 rows before it stores them, each with a
 * reference to the row's type in a table where all of these have one place: so each costs more the more there are.
 */
const blockRowsMax = 100;
const blockBytesMin = 4_096;
const blockBytesMax = 262_144;
/** Memory of blocks that are empty, kept for the next ones. */
const spareBytesMax = 2_097_152;

/**
 * Makes an empty buffer.
 *
 * @param capacity rows that it holds at most.
 * @param batchSize rows of a batch at most.
 */
export function createCallBuffer(capacity: number, batchSize: number): CallBuffer {
  const blockRows = Math.min(batchSize, blockRowsMax);
  const blocks: CallBatch[] = [];
  let waitingCount = 0;
  let takenCount = 0;
  let droppedCount = 0;
  let bytesExpected = blockBytesMin;
  /** What was taken and may be used again once it is stored. */
  let taken: CallBatch[] = [];
  const spares: CallBatch[] = [];
  let spareBytes = 0;
  /** Blocks that were sent in vain: a connection that is being given up may still hold them. */
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
    // As large as the last one became.
    if (last) bytesExpected = Math.min(blockBytesMax, Math.max(blockBytesMin, last.bytes.length));
    const known = spares.pop();
    if (known) spareBytes -= known.size;
    const made = known ?? new CallBatch(bytesExpected);
    blocks.push(made);
    return made;
  };

  return {
    add: (call) => {
      // The newest is kept, even when as many as there is room for are on their way.
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

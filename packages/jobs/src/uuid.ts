import { randomFillSync } from 'node:crypto';

const poolBytes = 10 * 256;
const pool = Buffer.alloc(poolBytes);
let poolOffset = poolBytes;

/** Last millisecond handed out, and the counter within it: ids made in one process sort in the order they were made. */
let lastMs = 0;
let counter = 0;
const counterMax = 0xfff;

/**
 * Makes a version 7 uuid: time first, so that ids sort by the time of their making, then chance. Within one process
 * they rise strictly: the 12 bits after the time count up within a millisecond.
 */
export function uuidV7(nowMs: number = Date.now()): string {
  if (poolOffset >= poolBytes) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // Starts low enough that the counter has room, random enough that two processes differ.
    counter = pool.readUInt16BE(poolOffset) & 0x3ff;
  } else if (counter < counterMax) {
    counter += 1;
  } else {
    lastMs += 1;
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const middle = (0x7000 | counter).toString(16);
  const random = pool.toString('hex', poolOffset + 2, poolOffset + 10);
  poolOffset += 10;
  const variant = ((Number.parseInt(random.slice(0, 1), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${middle}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
}

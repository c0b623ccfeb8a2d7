import { randomFillSync } from 'node:crypto';

const randomBytesEach = 10;
const poolBytes = randomBytesEach * 256;
const pool = Buffer.alloc(poolBytes);
let poolOffset = poolBytes;

/** Returns the offset of the next unused random bytes in the pool. Refills the pool when it is used up. */
function nextRandomAt(): number {
  if (poolOffset >= poolBytes) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const at = poolOffset;
  poolOffset += randomBytesEach;
  return at;
}

/** Millisecond and counter of the last id. They order the ids of one process by creation. */
let lastMs = 0;
let counter = 0;
const counterMax = 0xfff;

/**
 * Creates a version 7 uuid: the time, then random bits, so ids sort by creation time. Ids of one process increase
 * strictly: the 12 bits after the time count within a millisecond.
 */
export function uuidV7(nowMs: number = Date.now()): string {
  const randomAt = nextRandomAt();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // The start is low enough to leave room for the counter, and random enough to differ between processes.
    counter = pool.readUInt16BE(randomAt) & 0x3ff;
  } else if (counter < counterMax) {
    counter += 1;
  } else {
    lastMs += 1;
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const middle = (0x7000 | counter).toString(16);
  const random = pool.toString('hex', randomAt + 2, randomAt + randomBytesEach);
  const variant = ((Number.parseInt(random.slice(0, 1), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${middle}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
}

export const uuidBytes = 16;

const poolView = new DataView(pool.buffer, pool.byteOffset, poolBytes);
const twoTo16 = 0x1_0000;

/**
 * Writes the 16 bytes of a version 7 uuid with the caller's time.
 *
 * @param sequence its 12 lowest bits order the ids of one millisecond.
 */
export function writeUuidV7(target: DataView, offset: number, timeMs: number, sequence: number): void {
  const randomAt = nextRandomAt();
  target.setUint32(offset, Math.floor(timeMs / twoTo16));
  target.setUint16(offset + 4, timeMs % twoTo16);
  target.setUint16(offset + 6, 0x7000 | (sequence & counterMax));
  target.setUint32(offset + 8, (poolView.getUint32(randomAt + 2) & 0x3fff_ffff) | 0x8000_0000);
  target.setUint32(offset + 12, poolView.getUint32(randomAt + 6));
}

/** Returns 16 bytes as the text of a uuid (8-4-4-4-12). */
export function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

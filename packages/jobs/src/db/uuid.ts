import { randomFillSync } from 'node:crypto';

const randomBytesEach = 10;
const poolBytes = randomBytesEach * 256;
const pool = Buffer.alloc(poolBytes);
let poolOffset = poolBytes;

/** Where the next so many random bytes are in the pool. */
function nextRandomAt(): number {
  if (poolOffset >= poolBytes) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const at = poolOffset;
  poolOffset += randomBytesEach;
  return at;
}

/** Last millisecond handed out, and the counter within it: ids made in one process sort in the order they were made. */
let lastMs = 0;
let counter = 0;
const counterMax = 0xfff;

/**
 * Makes a version 7 uuid: time first, so that ids sort by the time of their making, then chance. Within one process
 * they rise strictly: the 12 bits after the time count up within a millisecond.
 */
export function uuidV7(nowMs: number = Date.now()): string {
  const randomAt = nextRandomAt();
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // Starts low enough that the counter has room, random enough that two processes differ.
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

/** Bytes of a uuid. */
export const uuidBytes = 16;

const poolView = new DataView(pool.buffer, pool.byteOffset, poolBytes);
const twoTo16 = 0x1_0000;

/**
 * Writes the 16 bytes of a version 7 uuid whose time is not now but the caller's.
 *
 * @param sequence of its 12 lowest bits: tells the order of ids of one millisecond.
 */
export function writeUuidV7(target: DataView, offset: number, timeMs: number, sequence: number): void {
  const randomAt = nextRandomAt();
  target.setUint32(offset, Math.floor(timeMs / twoTo16));
  target.setUint16(offset + 4, timeMs % twoTo16);
  target.setUint16(offset + 6, 0x7000 | (sequence & counterMax));
  target.setUint32(offset + 8, (poolView.getUint32(randomAt + 2) & 0x3fff_ffff) | 0x8000_0000);
  target.setUint32(offset + 12, poolView.getUint32(randomAt + 6));
}

/** Writes 16 bytes as the text of a uuid (8-4-4-4-12). */
export function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

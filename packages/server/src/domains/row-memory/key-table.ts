import type { Cell } from '@svc/connectors';
import { createKeyEntries, entryBytes, keyBytes, wordBytes } from './key-entries.ts';

const contentBytes = entryBytes - keyBytes;

/** Maximum number of leading key bits that select a bucket. */
const bucketBitsMax = 12;

/** Result of comparing a row with the stored rows. `Undecided`: later rows may have the same key. */
export type Verdict = 'New' | 'Changed' | 'Same' | 'Undecided';

/** Masked key cells of a row. */
export type MaskedKey = readonly Cell[];

/** Rows of one bucket, sorted by key. The next bucket reuses the buffer: copy it to retain it. */
export type Bucket = {
  readonly bucket: number;
  readonly entries: Buffer;
  readonly keys: readonly (MaskedKey | null)[];
};

/** Fingerprints of a batch from the run-SQL gateway. */
type Codes = { readonly keys: Buffer; readonly contents: Buffer };

/** Totals of a table after the last row. */
export type Seen = {
  readonly rowCount: number;
  readonly duplicateKeyCount: number;
  readonly vanishedCount: number;
};

/** A run has more keys than a memory may contain. */
export class TooManyKeys extends Error {
  override readonly name = 'TooManyKeys';
}

const wasSeen = 1;
const isNew = 2;
/** Lowest bit of the contents: several rows share the key, and the contents are the sum of their hashes. */
const isShared = 1;

export type KeyTable = ReturnType<typeof createKeyTable>;

/**
 * Creates a table that compares the rows of a run with the stored rows in one pass. It looks up each row once and
 * stores 24 bytes of hashes for it.
 *
 * @param rowsMax  Maximum number of keys in a run.
 */
export function createKeyTable({
  rowsMax,
  keepsKeys = false,
}: {
  readonly rowsMax: number;
  readonly keepsKeys?: boolean;
}) {
  const entries = createKeyEntries();
  /** Masked keys by place, if they are stored. */
  const maskedKeys: (MaskedKey | null)[] = [];
  /** Flags by leading bits of the keys: rows with these bits are new, changed or vanished. */
  const dirty = new Uint8Array(2 ** bucketBitsMax);
  /** Earlier contents of keys that several rows shared. They are compared after the last row. */
  const sharedBefore = new Map<number, readonly [number, number]>();
  let seenCount = 0;

  const bucketOf = (place: number, bits: number): number =>
    bits === 0 ? 0 : entries.wordAt(place, 0) >>> (32 - bits);
  const makeDirty = (place: number): void => {
    dirty[bucketOf(place, bucketBitsMax)] = 1;
  };
  const setContents = (place: number, high: number, low: number): void => {
    entries.setWord(place, 4, high);
    entries.setWord(place, 5, low);
    makeDirty(place);
  };

  const countSeen = (): void => {
    seenCount += 1;
    if (seenCount > rowsMax) throw new TooManyKeys();
  };

  /** Adds a row whose key an earlier row of this run has. */
  const addTo = (place: number, codes: Codes, row: number): void => {
    const low = ((entries.wordAt(place, 5) & ~isShared) >>> 0) + contentLow(codes, row);
    const carry = low > 0xffff_ffff ? 1 : 0;
    const high = entries.wordAt(place, 4) + contentHigh(codes, row) + carry;
    setContents(place, high, (low | isShared) >>> 0);
  };

  const observeKnown = (place: number, codes: Codes, row: number): Verdict => {
    const mark = entries.markAt(place);
    if (mark & wasSeen) {
      addTo(place, codes, row);
      if (mark & isNew) return 'New';
      return sharedBefore.has(place) ? 'Undecided' : 'Changed';
    }
    countSeen();
    entries.setMark(place, mark | wasSeen);
    const before = [entries.wordAt(place, 4), entries.wordAt(place, 5)] as const;
    const [high, low] = [contentHigh(codes, row), contentLow(codes, row)];
    if (high === before[0] && low === before[1]) return 'Same';
    setContents(place, high, low);
    if ((before[1] & isShared) === 0) return 'Changed';
    sharedBefore.set(place, before);
    return 'Undecided';
  };

  const wasFound = (place: number): boolean => (entries.markAt(place) & wasSeen) !== 0;

  return {
    /** Loads stored entries. */
    load: (stored: Buffer, keys: readonly (MaskedKey | null)[] = []): void => {
      for (let index = 0; index * entryBytes < stored.length; index += 1) {
        const offset = index * entryBytes;
        const place = entries.add(stored, offset);
        entries.setWord(place, 4, stored.readUInt32BE(offset + 4 * wordBytes));
        entries.setWord(place, 5, stored.readUInt32BE(offset + 5 * wordBytes));
        if (keepsKeys) maskedKeys[place] = keys[index] ?? null;
      }
    },

    /**
     * Compares a row with the stored rows and stores it.
     *
     * @returns the verdict; `placeOf` returns the key.
     * @throws TooManyKeys
     */
    observe: (codes: Codes, row: number, maskedKey?: () => MaskedKey): Verdict => {
      const knownPlace = entries.find(codes.keys, row * keyBytes);
      if (knownPlace === -1) {
        countSeen();
        const place = entries.add(codes.keys, row * keyBytes);
        entries.setMark(place, wasSeen | isNew);
        setContents(place, contentHigh(codes, row), contentLow(codes, row));
        if (keepsKeys) maskedKeys[place] = maskedKey?.() ?? null;
        return 'New';
      }
      const verdict = observeKnown(knownPlace, codes, row);
      if (keepsKeys && (verdict !== 'Same' || maskedKeys[knownPlace] === null))
        maskedKeys[knownPlace] = maskedKey?.() ?? null;
      return verdict;
    },

    /** Returns the place of a row's key, for `hasChanged`. */
    placeOf: (keys: Buffer, row: number): number => entries.find(keys, row * keyBytes),

    /** Returns true if the rows of a shared key together differ from before. Call it after the last row. */
    hasChanged: (place: number): boolean => {
      const before = sharedBefore.get(place);
      if (!before) return false;
      return entries.wordAt(place, 4) !== before[0] || entries.wordAt(place, 5) !== before[1];
    },

    /** Counts the rows and marks the buckets to write. `turn` yields to other work. */
    seen: async (turn: () => Promise<void>): Promise<Seen> => {
      let [rowCount, duplicateKeyCount, vanishedCount] = [0, 0, 0];
      for (let place = 0; place < entries.count(); place += 1) {
        if (place % rowsInTurn === 0) await turn();
        if (!wasFound(place)) {
          vanishedCount += 1;
          makeDirty(place);
          continue;
        }
        rowCount += 1;
        duplicateKeyCount += entries.wordAt(place, 5) & isShared;
      }
      return { rowCount, duplicateKeyCount, vanishedCount };
    },

    /** Yields the masked keys of stored rows that the run did not find. */
    vanishedKeys: function* (): Generator<MaskedKey> {
      for (const [place, key] of maskedKeys.entries()) if (key && !wasFound(place)) yield key;
    },

    /** Yields the rows of the run, bucket by bucket. `onlyChanged` omits buckets that equal the loaded ones. */
    buckets: function* (bits: number, onlyChanged: boolean): Generator<Bucket> {
      const isWritten = Array.from(
        { length: 2 ** bits },
        (_, bucket) => !onlyChanged || isDirty(dirty, bucket, bits),
      );
      if (!isWritten.includes(true)) return;
      const places = placesByBucket(entries.count(), 2 ** bits, (place) => {
        const bucket = bucketOf(place, bits);
        return isWritten[bucket] && wasFound(place) ? bucket : -1;
      });
      let room = Buffer.alloc(0);
      for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
        const bucketPlaces = places(bucket).sort(entries.compare);
        // A changed bucket without rows is yielded, because its stored rows vanished.
        if (onlyChanged ? !isWritten[bucket] : bucketPlaces.length === 0) continue;
        if (room.length < bucketPlaces.length * entryBytes)
          room = Buffer.allocUnsafe(bucketPlaces.length * entryBytes * 2);
        const stored = room.subarray(0, bucketPlaces.length * entryBytes);
        for (const [index, place] of bucketPlaces.entries())
          entries.writeTo(place, stored, index * entryBytes);
        const keys = keepsKeys ? Array.from(bucketPlaces, (place) => maskedKeys[place] ?? null) : [];
        yield { bucket, entries: stored, keys };
      }
    },
  };
}

/** Number of rows between two turns of other work. */
const rowsInTurn = 65_536;

const contentHigh = ({ contents }: Codes, row: number): number => contents.readUInt32BE(row * contentBytes);

/** Returns the lower half of the contents, without the bit for shared keys. */
const contentLow = ({ contents }: Codes, row: number): number =>
  (contents.readUInt32BE(row * contentBytes + wordBytes) & ~isShared) >>> 0;

/** Returns true if rows of a bucket are new, changed or vanished. */
function isDirty(dirty: Uint8Array, bucket: number, bits: number): boolean {
  const per = 2 ** (bucketBitsMax - bits);
  return dirty.subarray(bucket * per, (bucket + 1) * per).includes(1);
}

/** Groups places by bucket. `bucketOf` returns -1 for a place in no bucket. @returns the places of a bucket. */
function placesByBucket(
  count: number,
  bucketCount: number,
  bucketOf: (place: number) => number,
): (bucket: number) => Uint32Array {
  const ends = new Uint32Array(bucketCount);
  let total = 0;
  for (let place = 0; place < count; place += 1) {
    const bucket = bucketOf(place);
    if (bucket === -1) continue;
    ends[bucket] = (ends[bucket] ?? 0) + 1;
    total += 1;
  }
  let end = 0;
  for (const [bucket, size] of ends.entries()) {
    end += size;
    ends[bucket] = end;
  }
  const starts = ends.slice();
  const ordered = new Uint32Array(total);
  for (let place = count - 1; place >= 0; place -= 1) {
    const bucket = bucketOf(place);
    if (bucket === -1) continue;
    const at = (starts[bucket] ?? 0) - 1;
    starts[bucket] = at;
    ordered[at] = place;
  }
  return (bucket) => ordered.subarray(starts[bucket], ends[bucket]);
}

/** Approximate number of rows in a bucket, which is the unit of writing. */
const bucketRows = 4_096;

/**
 * Returns the number of bucket bits. The previous number remains if it differs by at most one from the ideal number.
 */
export function bucketBitsOf(rowCount: number, before: number | undefined): number {
  const bits = Math.min(bucketBitsMax, Math.max(0, Math.ceil(Math.log2(Math.max(1, rowCount) / bucketRows))));
  if (before === undefined || Math.abs(before - bits) > 1) return bits;
  return before;
}

import type { Cell } from '@svc/connectors';
import { entryBytes, type KeyEntries } from './key-entries.ts';

/** Maximum number of leading key bits that select a bucket. */
const bucketBitsMax = 12;

/** Masked key cells of a row. */
export type MaskedKey = readonly Cell[];

/** Rows of one bucket, sorted by key. The next bucket reuses the buffer: copy it to retain it. */
export type Bucket = {
  readonly bucket: number;
  readonly entries: Buffer;
  readonly keys: readonly (MaskedKey | null)[];
};

const bucketOf = (entries: KeyEntries, place: number, bits: number): number =>
  bits === 0 ? 0 : entries.wordAt(place, 0) >>> (32 - bits);

export type ChangedBuckets = ReturnType<typeof createChangedBuckets>;

/** Creates the record of buckets with new, changed or vanished rows. */
export function createChangedBuckets(entries: KeyEntries) {
  /** Flags by leading bits of the keys. */
  const flags = new Uint8Array(2 ** bucketBitsMax);
  return {
    mark: (place: number): void => {
      flags[bucketOf(entries, place, bucketBitsMax)] = 1;
    },
    isChanged: (bucket: number, bits: number): boolean => {
      const perBucket = 2 ** (bucketBitsMax - bits);
      return flags.subarray(bucket * perBucket, (bucket + 1) * perBucket).includes(1);
    },
  };
}

/** Rows of a run, for their division into buckets. */
export type RowsOfRun = {
  readonly entries: KeyEntries;
  readonly changed: ChangedBuckets;
  /** Returns true if the run has a row with the key at a place. */
  readonly wasSeen: (place: number) => boolean;
  /** Masked keys by place; null: none are stored. */
  readonly maskedKeys: readonly (MaskedKey | null)[] | null;
};

/** Yields the rows of a run, bucket by bucket. `onlyChanged` omits buckets that equal the loaded ones. */
export function* bucketsOf(
  { entries, changed, wasSeen, maskedKeys }: RowsOfRun,
  bits: number,
  onlyChanged: boolean,
): Generator<Bucket> {
  const isWritten = Array.from(
    { length: 2 ** bits },
    (_, bucket) => !onlyChanged || changed.isChanged(bucket, bits),
  );
  if (!isWritten.includes(true)) return;
  const places = placesByBucket(entries.count(), 2 ** bits, (place) => {
    const bucket = bucketOf(entries, place, bits);
    return isWritten[bucket] && wasSeen(place) ? bucket : -1;
  });
  let buffer = Buffer.alloc(0);
  for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
    const bucketPlaces = places(bucket).sort(entries.compare);
    // A changed bucket without rows is yielded, because its stored rows vanished.
    if (onlyChanged ? !isWritten[bucket] : bucketPlaces.length === 0) continue;
    if (buffer.length < bucketPlaces.length * entryBytes)
      buffer = Buffer.allocUnsafe(bucketPlaces.length * entryBytes * 2);
    const stored = buffer.subarray(0, bucketPlaces.length * entryBytes);
    for (const [index, place] of bucketPlaces.entries()) entries.writeTo(place, stored, index * entryBytes);
    const keys = maskedKeys ? Array.from(bucketPlaces, (place) => maskedKeys[place] ?? null) : [];
    yield { bucket, entries: stored, keys };
  }
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

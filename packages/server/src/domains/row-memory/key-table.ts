import type { Cell } from '@svc/connectors';

/** Bytes of an entry as it is stored: a hash of what a row is, and one of what stands in it. */
export const entryBytes = 24;
const keyBytes = 16;
const wordBytes = 4;
const entryWords = entryBytes / wordBytes;

/** Rows are spread over so many shards by the first bits of their keys, so that none is large. */
export const shardBits = 12;
const shardCount = 2 ** shardBits;
const placesInShard = 2 ** 20;

/** How a row stands to what was known. `Undecided`: other rows of its key are still to come. */
export type Verdict = 'New' | 'Changed' | 'Same' | 'Undecided';

/** Key cells of a row as they were masked. */
export type MaskedKey = readonly Cell[];

/** Rows of one bucket, sorted by their keys. */
export type Bucket = {
  readonly bucket: number;
  readonly entries: Buffer;
  readonly keys: readonly (MaskedKey | null)[];
};

/** Fingerprints of a batch, as the run-SQL door hands them out. */
type Codes = { readonly keys: Buffer; readonly contents: Buffer };

/** What a table came to once every row was seen. */
export type Seen = {
  readonly rowCount: number;
  readonly duplicateKeyCount: number;
  readonly vanishedCount: number;
};

/** More keys than may be remembered. */
export class TooManyKeys extends Error {
  override readonly name = 'TooManyKeys';
}

/** Entries whose keys begin alike, in typed arrays: a million of them take 30 MB, not 200. */
type Shard = {
  count: number;
  /** Six words an entry: four of the key, two of the contents. */
  words: Uint32Array;
  /** What is known of each entry: `wasSeen`, `isNew`, … */
  marks: Uint8Array;
  /** Open addressing by the second word of the key: places from 1, 0 where none is. */
  slots: Uint16Array;
  isDirty: boolean;
  keys: (MaskedKey | null)[];
};

const wasSeen = 1;
const isNew = 2;
/** The lowest bit of the contents: several rows share the key, and what stands in them is added up. */
const isShared = 1;

export type KeyTable = ReturnType<typeof createKeyTable>;

/**
 * The rows that are known, and those that a run finds, told apart while they pass: each row is looked up once and
 * nothing of it is kept but 24 bytes of hashes.
 *
 * @param rowsMax  Keys that a run may find.
 */
export function createKeyTable({
  rowsMax,
  keepsKeys = false,
}: {
  readonly rowsMax: number;
  readonly keepsKeys?: boolean;
}) {
  const shards: (Shard | undefined)[] = new Array(shardCount);
  /** What stood in the rows of keys that several rows shared before: compared once every row was seen. */
  const sharedBefore = new Map<number, readonly [number, number]>();
  let seenCount = 0;

  const shardAt = (shardNo: number): Shard => {
    const shard = shards[shardNo] ?? emptyShard();
    shards[shardNo] = shard;
    return shard;
  };

  const put = (shard: Shard, codes: Codes, row: number, mark: number): number => {
    if (shard.count * entryWords === shard.words.length) grow(shard, Math.max(4, shard.count * 2));
    const at = shard.count;
    shard.count += 1;
    const base = at * entryWords;
    for (let word = 0; word < 4; word += 1)
      shard.words[base + word] = codes.keys.readUInt32BE(row * keyBytes + word * wordBytes);
    shard.words[base + 4] = codes.contents.readUInt32BE(row * 8);
    shard.words[base + 5] = contentLow(codes, row);
    shard.marks[at] = mark;
    addSlot(shard, at);
    return at;
  };

  const countSeen = (): void => {
    seenCount += 1;
    if (seenCount > rowsMax) throw new TooManyKeys();
  };

  /** A row of a key that a row before it in this run had too. */
  const addTo = (shard: Shard, at: number, codes: Codes, row: number): void => {
    const base = at * entryWords;
    const low = (((shard.words[base + 5] ?? 0) & ~isShared) >>> 0) + contentLow(codes, row);
    const carry = low > 0xffff_ffff ? 1 : 0;
    shard.words[base + 4] = (shard.words[base + 4] ?? 0) + codes.contents.readUInt32BE(row * 8) + carry;
    shard.words[base + 5] = (low | isShared) >>> 0;
    shard.isDirty = true;
  };

  const observeKnown = (shard: Shard, at: number, place: number, codes: Codes, row: number): Verdict => {
    const mark = shard.marks[at] ?? 0;
    if (mark & wasSeen) {
      addTo(shard, at, codes, row);
      if (mark & isNew) return 'New';
      return sharedBefore.has(place) ? 'Undecided' : 'Changed';
    }
    countSeen();
    shard.marks[at] = mark | wasSeen;
    const base = at * entryWords;
    const [high = 0, low = 0] = [shard.words[base + 4], shard.words[base + 5]];
    const next = { high: codes.contents.readUInt32BE(row * 8), low: contentLow(codes, row) };
    if (high === next.high && low === next.low) return 'Same';
    shard.words[base + 4] = next.high;
    shard.words[base + 5] = next.low;
    shard.isDirty = true;
    if ((low & isShared) === 0) return 'Changed';
    sharedBefore.set(place, [high, low]);
    return 'Undecided';
  };

  return {
    /** Takes in entries as they are stored. */
    load: (entries: Buffer, keys: readonly (MaskedKey | null)[] = []): void => {
      for (let index = 0; index * entryBytes < entries.length; index += 1) {
        const offset = index * entryBytes;
        const shardNo = entries.readUInt32BE(offset) >>> (32 - shardBits);
        const isFirst = shards[shardNo] === undefined;
        const shard = shardAt(shardNo);
        // They are sorted: those of a shard follow each other, and it is made as large as they need.
        if (isFirst) grow(shard, runLength(entries, offset, shardNo));
        const at = shard.count;
        if (at * entryWords === shard.words.length) grow(shard, at * 2);
        shard.count += 1;
        for (let word = 0; word < entryWords; word += 1)
          shard.words[at * entryWords + word] = entries.readUInt32BE(offset + word * wordBytes);
        addSlot(shard, at);
        if (keepsKeys) shard.keys[at] = keys[index] ?? null;
      }
    },

    /**
     * Looks a row up and remembers it.
     *
     * @returns the verdict; `placeOf` says of which key it was.
     * @throws TooManyKeys
     */
    observe: (codes: Codes, row: number, maskedKey?: () => MaskedKey): Verdict => {
      const shardNo = shardNoOf(codes.keys, row);
      const shard = shardAt(shardNo);
      const found = find(shard, codes.keys, row * keyBytes);
      if (found === -1) {
        countSeen();
        shard.isDirty = true;
        const at = put(shard, codes, row, wasSeen | isNew);
        if (keepsKeys) shard.keys[at] = maskedKey?.() ?? null;
        return 'New';
      }
      const verdict = observeKnown(shard, found, shardNo * placesInShard + found, codes, row);
      if (keepsKeys && (verdict !== 'Same' || shard.keys[found] === null))
        shard.keys[found] = maskedKey?.() ?? null;
      return verdict;
    },

    /** Which key a row has, for `hasChanged`. */
    placeOf: (keys: Buffer, row: number): number => {
      const shardNo = shardNoOf(keys, row);
      return shardNo * placesInShard + find(shardAt(shardNo), keys, row * keyBytes);
    },

    /** Once every row was seen: whether the rows of a key differ from those before, all of them together. */
    hasChanged: (place: number): boolean => {
      const before = sharedBefore.get(place);
      const shard = shards[Math.floor(place / placesInShard)];
      if (!before || !shard) return false;
      const base = (place % placesInShard) * entryWords;
      return shard.words[base + 4] !== before[0] || shard.words[base + 5] !== before[1];
    },

    /** Counts what was seen, and marks what has to be written. `turn` lets others have theirs. */
    seen: async (turn: () => Promise<void>): Promise<Seen> => {
      let [rowCount, duplicateKeyCount, vanishedCount] = [0, 0, 0];
      for (const [shardNo, shard] of shards.entries()) {
        if (shardNo % shardsInTurn === 0) await turn();
        if (!shard) continue;
        for (let at = 0; at < shard.count; at += 1) {
          if (((shard.marks[at] ?? 0) & wasSeen) === 0) {
            vanishedCount += 1;
            shard.isDirty = true;
            continue;
          }
          rowCount += 1;
          duplicateKeyCount += (shard.words[at * entryWords + 5] ?? 0) & isShared;
        }
      }
      return { rowCount, duplicateKeyCount, vanishedCount };
    },

    /** Keys of rows that were known and that the run did not find, as far as they were kept. */
    vanishedKeys: function* (): Generator<MaskedKey> {
      for (const shard of shards) {
        for (let at = 0; at < (shard?.count ?? 0); at += 1) {
          const key = shard?.keys[at];
          if (key && ((shard.marks[at] ?? 0) & wasSeen) === 0) yield key;
        }
      }
    },

    /** What was seen, bucket by bucket; `onlyChanged` leaves out those that stay as they were loaded. */
    buckets: function* (bits: number, onlyChanged: boolean): Generator<Bucket> {
      const perBucket = 2 ** (shardBits - bits);
      for (let bucket = 0; bucket < 2 ** bits; bucket += 1) {
        const own = shards.slice(bucket * perBucket, (bucket + 1) * perBucket);
        if (onlyChanged ? own.some((shard) => shard?.isDirty) : own.some((shard) => shard !== undefined))
          yield { bucket, ...entriesOf(own) };
      }
    },
  };
}

/** Shards that are walked before others have their turn: some 60,000 rows of a million. */
const shardsInTurn = 256;

const emptyShard = (): Shard => ({
  count: 0,
  words: new Uint32Array(0),
  marks: new Uint8Array(0),
  slots: new Uint16Array(0),
  isDirty: false,
  keys: [],
});

const shardNoOf = (keys: Buffer, row: number): number =>
  keys.readUInt32BE(row * keyBytes) >>> (32 - shardBits);

/** The lower half of what stands in a row, without the bit that says that several rows are added up. */
const contentLow = ({ contents }: Codes, row: number): number =>
  (contents.readUInt32BE(row * 8 + wordBytes) & ~isShared) >>> 0;

function runLength(entries: Buffer, from: number, shardNo: number): number {
  let offset = from;
  while (offset < entries.length && entries.readUInt32BE(offset) >>> (32 - shardBits) === shardNo)
    offset += entryBytes;
  return (offset - from) / entryBytes;
}

/** Gives a shard room for so many entries. */
function grow(shard: Shard, capacity: number): void {
  const { words, marks } = shard;
  shard.words = new Uint32Array(capacity * entryWords);
  shard.words.set(words);
  shard.marks = new Uint8Array(capacity);
  shard.marks.set(marks);
  const slotsNeeded = 2 ** Math.ceil(Math.log2(Math.max(8, capacity * 1.5)));
  if (slotsNeeded === shard.slots.length) return;
  shard.slots = new Uint16Array(slotsNeeded);
  for (let at = 0; at < shard.count; at += 1) addSlot(shard, at);
}

function addSlot({ slots, words }: Shard, at: number): void {
  const mask = slots.length - 1;
  let slot = (words[at * entryWords + 1] ?? 0) & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = at + 1;
}

/** @returns the place of a key in its shard; -1 where it is not. */
function find({ slots, words, count }: Shard, keys: Buffer, offset: number): number {
  if (count === 0) return -1;
  const mask = slots.length - 1;
  const second = keys.readUInt32BE(offset + wordBytes);
  for (let slot = second & mask; ; slot = (slot + 1) & mask) {
    const at = (slots[slot] ?? 0) - 1;
    if (at === -1) return -1;
    const base = at * entryWords;
    if (
      words[base + 1] === second &&
      words[base] === keys.readUInt32BE(offset) &&
      words[base + 2] === keys.readUInt32BE(offset + 2 * wordBytes) &&
      words[base + 3] === keys.readUInt32BE(offset + 3 * wordBytes)
    )
      return at;
  }
}

/** The rows of shards that were seen, sorted by their keys. */
function entriesOf(own: readonly (Shard | undefined)[]): Omit<Bucket, 'bucket'> {
  const parts: Buffer[] = [];
  const keys: (MaskedKey | null)[] = [];
  for (const shard of own) {
    if (!shard) continue;
    const { words, marks } = shard;
    const places: number[] = [];
    for (let at = 0; at < shard.count; at += 1) if ((marks[at] ?? 0) & wasSeen) places.push(at);
    places.sort((one, other) => compareKeys(words, one * entryWords, other * entryWords));
    const part = Buffer.allocUnsafe(places.length * entryBytes);
    for (const [index, at] of places.entries()) {
      for (let word = 0; word < entryWords; word += 1)
        part.writeUInt32BE(words[at * entryWords + word] ?? 0, index * entryBytes + word * wordBytes);
      keys.push(shard.keys[at] ?? null);
    }
    parts.push(part);
  }
  return { entries: Buffer.concat(parts), keys };
}

function compareKeys(words: Uint32Array, one: number, other: number): number {
  for (let word = 0; word < 4; word += 1) {
    const difference = (words[one + word] ?? 0) - (words[other + word] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Rows of a bucket, about: what changes together is written together. */
const bucketRows = 4_096;

/** As many buckets as there were, unless they became too large or too small by half. */
export function bucketBitsOf(rowCount: number, before: number | undefined): number {
  const wanted = Math.min(shardBits, Math.max(0, Math.ceil(Math.log2(Math.max(1, rowCount) / bucketRows))));
  if (before === undefined || Math.abs(before - wanted) > 1) return wanted;
  return before;
}

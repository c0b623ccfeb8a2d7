import { type Bucket, bucketsOf, createChangedBuckets, type MaskedKey } from './buckets.ts';
import { createKeyEntries, entryBytes, keyBytes, wordBytes } from './key-entries.ts';

const contentBytes = entryBytes - keyBytes;

/** Result of comparing a row with the stored rows. `Undecided`: later rows may have the same key. */
export type Verdict = 'New' | 'Changed' | 'Same' | 'Undecided';

/** Fingerprints of a batch from the run-SQL gateway. */
type Codes = { readonly keys: Buffer; readonly contents: Buffer };

/** Totals of a table after the last row. */
export type TableTotals = {
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
  storesKeys = false,
}: {
  readonly rowsMax: number;
  readonly storesKeys?: boolean;
}) {
  const entries = createKeyEntries();
  /** Masked keys by place, if they are stored. */
  const maskedKeys: (MaskedKey | null)[] = [];
  const changed = createChangedBuckets(entries);
  /** Earlier contents of keys that several rows shared. They are compared after the last row. */
  const sharedBefore = new Map<number, readonly [number, number]>();
  let seenCount = 0;

  const setContents = (place: number, high: number, low: number): void => {
    entries.setWord(place, 4, high);
    entries.setWord(place, 5, low);
    changed.mark(place);
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

  const observeAgain = (place: number, codes: Codes, row: number): Verdict => {
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

  const isInRun = (place: number): boolean => (entries.markAt(place) & wasSeen) !== 0;

  return {
    /** Loads stored entries. */
    load: (stored: Buffer, keys: readonly (MaskedKey | null)[] = []): void => {
      for (let index = 0; index * entryBytes < stored.length; index += 1) {
        const offset = index * entryBytes;
        const place = entries.add(stored, offset);
        entries.setWord(place, 4, stored.readUInt32BE(offset + 4 * wordBytes));
        entries.setWord(place, 5, stored.readUInt32BE(offset + 5 * wordBytes));
        if (storesKeys) maskedKeys[place] = keys[index] ?? null;
      }
    },

    /**
     * Compares a row with the stored rows and stores it.
     *
     * @returns the verdict; `placeOf` returns the key.
     * @throws TooManyKeys
     */
    observe: (codes: Codes, row: number, maskedKey?: () => MaskedKey): Verdict => {
      const storedPlace = entries.find(codes.keys, row * keyBytes);
      if (storedPlace === -1) {
        countSeen();
        const place = entries.add(codes.keys, row * keyBytes);
        entries.setMark(place, wasSeen | isNew);
        setContents(place, contentHigh(codes, row), contentLow(codes, row));
        if (storesKeys) maskedKeys[place] = maskedKey?.() ?? null;
        return 'New';
      }
      const verdict = observeAgain(storedPlace, codes, row);
      if (storesKeys && (verdict !== 'Same' || maskedKeys[storedPlace] === null))
        maskedKeys[storedPlace] = maskedKey?.() ?? null;
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
    totals: (turn: () => Promise<void>): Promise<TableTotals> =>
      countRows({ entries, changed, isInRun }, turn),

    /** Yields the masked keys of stored rows that are missing in the run. */
    vanishedKeys: function* (): Generator<MaskedKey> {
      for (const [place, key] of maskedKeys.entries()) if (key && !isInRun(place)) yield key;
    },

    /** Yields the rows of the run, bucket by bucket. `onlyChanged` omits buckets that equal the loaded ones. */
    buckets: (bits: number, onlyChanged: boolean): Generator<Bucket> =>
      bucketsOf(
        { entries, changed, wasSeen: isInRun, maskedKeys: storesKeys ? maskedKeys : null },
        bits,
        onlyChanged,
      ),
  };
}

/** Number of rows between two turns of other work. */
const rowsInTurn = 65_536;

/** Counts the rows of a table, and marks the buckets of vanished rows. */
async function countRows(
  {
    entries,
    changed,
    isInRun,
  }: {
    readonly entries: ReturnType<typeof createKeyEntries>;
    readonly changed: ReturnType<typeof createChangedBuckets>;
    readonly isInRun: (place: number) => boolean;
  },
  turn: () => Promise<void>,
): Promise<TableTotals> {
  let [rowCount, duplicateKeyCount, vanishedCount] = [0, 0, 0];
  for (let place = 0; place < entries.count(); place += 1) {
    if (place % rowsInTurn === 0) await turn();
    if (!isInRun(place)) {
      vanishedCount += 1;
      changed.mark(place);
      continue;
    }
    rowCount += 1;
    duplicateKeyCount += entries.wordAt(place, 5) & isShared;
  }
  return { rowCount, duplicateKeyCount, vanishedCount };
}

const contentHigh = ({ contents }: Codes, row: number): number => contents.readUInt32BE(row * contentBytes);

/** Returns the lower half of the contents, without the bit for shared keys. */
const contentLow = ({ contents }: Codes, row: number): number =>
  (contents.readUInt32BE(row * contentBytes + wordBytes) & ~isShared) >>> 0;

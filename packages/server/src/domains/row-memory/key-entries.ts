/** Bytes of a stored entry: a hash of the key of a row, and a hash of its contents. */
export const entryBytes = 24;
export const keyBytes = 16;
export const wordBytes = 4;
const entryWords = entryBytes / wordBytes;
const keyWords = keyBytes / wordBytes;

/** Size of a chunk: `2 ** chunkBits` entries. The first chunk of a table is small and doubles up to this size. */
const chunkBits = 14;
const chunkEntries = 2 ** chunkBits;
const firstEntries = 64;

/** Leading bits of a key that select its segment. Segments are small, so that their growth blocks no other work. */
const segmentBits = 8;
const firstSlots = 8;
/** Maximum share of used slots in a segment. */
const loadMax = 0.7;

/** Consecutive entries. A full chunk takes 393 kB, which returns to the system as one piece. */
type Chunk = {
  /** Six words per entry: four of the key, two of the contents. */
  words: Uint32Array;
  /** Flags of each entry. */
  marks: Uint8Array;
};

/** Open addressing by the second word of the key. Slots contain place + 1, or 0 if they are empty. */
type Segment = { count: number; slots: Uint32Array };

export type KeyEntries = ReturnType<typeof createKeyEntries>;

/**
 * Creates a map of entries by key in a few large arrays: a million entries take 33 MB. Places count from 0 and do not
 * change.
 */
export function createKeyEntries() {
  const chunks: Chunk[] = [];
  const segments: (Segment | undefined)[] = new Array(2 ** segmentBits);
  let count = 0;

  const wordAt = (place: number, word: number): number =>
    chunks[place >>> chunkBits]?.words[(place & (chunkEntries - 1)) * entryWords + word] ?? 0;

  const setWord = (place: number, word: number, value: number): void => {
    const chunk = chunks[place >>> chunkBits];
    if (chunk) chunk.words[(place & (chunkEntries - 1)) * entryWords + word] = value;
  };

  /** Ensures space for the next entry. */
  const reserve = (): void => {
    const last = chunks.at(-1);
    const room = last?.marks.length ?? 0;
    if (last && count < (chunks.length - 1) * chunkEntries + room) return;
    if (last === undefined || room === chunkEntries)
      return void chunks.push(chunkOf(chunks.length === 0 ? firstEntries : chunkEntries));
    const grown = chunkOf(room * 2);
    grown.words.set(last.words);
    grown.marks.set(last.marks);
    chunks[chunks.length - 1] = grown;
  };

  const addSlot = ({ slots }: Segment, place: number): void => {
    const mask = slots.length - 1;
    let slot = wordAt(place, 1) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = place + 1;
  };

  const segmentOf = (firstWord: number): Segment => {
    const at = firstWord >>> (32 - segmentBits);
    const segment = segments[at] ?? { count: 0, slots: new Uint32Array(firstSlots) };
    segments[at] = segment;
    return segment;
  };

  const addToSegment = (place: number): void => {
    const segment = segmentOf(wordAt(place, 0));
    segment.count += 1;
    if (segment.count > segment.slots.length * loadMax) {
      const { slots } = segment;
      segment.slots = new Uint32Array(slots.length * 2);
      for (const slot of slots) if (slot !== 0) addSlot(segment, slot - 1);
    }
    addSlot(segment, place);
  };

  return {
    wordAt,
    setWord,
    markAt: (place: number): number => chunks[place >>> chunkBits]?.marks[place & (chunkEntries - 1)] ?? 0,
    setMark: (place: number, mark: number): void => {
      const chunk = chunks[place >>> chunkBits];
      if (chunk) chunk.marks[place & (chunkEntries - 1)] = mark;
    },
    count: (): number => count,

    /** @returns the place of a key; -1 when the key is missing. */
    find: (keys: Buffer, offset: number): number => {
      const first = keys.readUInt32BE(offset);
      const segment = segments[first >>> (32 - segmentBits)];
      if (!segment) return -1;
      const { slots } = segment;
      const mask = slots.length - 1;
      const second = keys.readUInt32BE(offset + wordBytes);
      for (let slot = second & mask; ; slot = (slot + 1) & mask) {
        const place = (slots[slot] ?? 0) - 1;
        if (place === -1) return -1;
        if (
          wordAt(place, 1) === second &&
          wordAt(place, 0) === first &&
          wordAt(place, 2) === keys.readUInt32BE(offset + 2 * wordBytes) &&
          wordAt(place, 3) === keys.readUInt32BE(offset + 3 * wordBytes)
        )
          return place;
      }
    },

    /** Adds a missing key, with no contents and no mark. @returns its place. */
    add: (keys: Buffer, offset: number): number => {
      reserve();
      const place = count;
      count += 1;
      for (let word = 0; word < keyWords; word += 1)
        setWord(place, word, keys.readUInt32BE(offset + word * wordBytes));
      addToSegment(place);
      return place;
    },

    /** Writes an entry in its stored form. */
    writeTo: (place: number, into: Buffer, offset: number): void => {
      for (let word = 0; word < entryWords; word += 1)
        into.writeUInt32BE(wordAt(place, word), offset + word * wordBytes);
    },

    /** Compares two entries by key. */
    compare: (one: number, other: number): number => {
      for (let word = 0; word < keyWords; word += 1) {
        const difference = wordAt(one, word) - wordAt(other, word);
        if (difference !== 0) return difference;
      }
      return 0;
    },
  };
}

const chunkOf = (entries: number): Chunk => ({
  words: new Uint32Array(entries * entryWords),
  marks: new Uint8Array(entries),
});

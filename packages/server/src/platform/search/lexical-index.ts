import { termsOf } from './terms.ts';

/** A text of a document with the weight of its terms. The ordinary weight is 1. */
export type Field = {
  readonly text: string;
  readonly weight: number;
  /** True for a name. Names join words, so a word also matches inside their terms: `customer` in `sbcustomer`. */
  readonly isName?: boolean;
};

/** A searchable item with its texts. */
export type IndexedDocument<Item> = { readonly item: Item; readonly fields: readonly Field[] };

/** A search result with its score. */
export type Match<Item> = { readonly item: Item; readonly score: number };

export type LexicalIndex<Item> = {
  /** Returns documents with a term of the query, best first. Equal scores are in the order of the documents. */
  readonly find: (words: string) => Match<Item>[];
};

/** Saturation of repeated terms and penalty of longer documents (Okapi BM25: k1 and b). */
const saturation = 1.2;
const lengthShare = 0.75;

/** Weight of a match inside a name's term, and minimum length of such a match. */
const partShare = 0.5;
const partLengthMin = 3;

type Posting = { readonly document: number; readonly frequency: number };

/**
 * Creates an in-memory index that ranks by BM25 over weighted fields. The weighted frequencies of a term are added
 * before saturation, as in BM25F, so that a long comment does not outrank a name.
 */
export function createLexicalIndex<Item>(documents: readonly IndexedDocument<Item>[]): LexicalIndex<Item> {
  const postings = new Map<string, Posting[]>();
  const partOf = namesWithPart(documents);
  const lengths = documents.map(({ fields }, document) => {
    const frequencies = frequenciesOf(fields);
    let length = 0;
    for (const [term, frequency] of frequencies) {
      length += frequency;
      const list = postings.get(term);
      if (list) list.push({ document, frequency });
      else postings.set(term, [{ document, frequency }]);
    }
    return length;
  });
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(documents.length, 1);

  const occurrencesOf = (term: string): ReadonlyMap<number, number> => {
    const frequencies = new Map(
      (postings.get(term) ?? []).map(({ document, frequency }) => [document, frequency]),
    );
    for (const name of partOf(term)) {
      for (const { document, frequency } of postings.get(name) ?? [])
        frequencies.set(document, (frequencies.get(document) ?? 0) + frequency * partShare);
    }
    return frequencies;
  };

  return {
    find: (words) => {
      const scores = new Map<number, number>();
      for (const term of new Set(termsOf(words))) {
        const occurrences = occurrencesOf(term);
        const rarity = Math.log(1 + (documents.length - occurrences.size + 0.5) / (occurrences.size + 0.5));
        for (const [document, frequency] of occurrences) {
          const share = (lengths[document] ?? 0) / meanLength;
          const norm = saturation * (1 - lengthShare + lengthShare * share);
          const gain = (rarity * frequency * (saturation + 1)) / (frequency + norm);
          scores.set(document, (scores.get(document) ?? 0) + gain);
        }
      }
      return [...scores]
        .sort(([one, score], [other, otherScore]) => otherScore - score || one - other)
        .flatMap(([document, score]) => {
          const match = documents[document];
          return match ? [{ item: match.item, score }] : [];
        });
    },
  };
}

/**
 * Finds terms of names that contain another term. An index by the first letters prevents a scan of all names per
 * word.
 */
function namesWithPart(documents: readonly IndexedDocument<unknown>[]): (part: string) => readonly string[] {
  const names = new Set<string>();
  for (const { fields } of documents)
    for (const { text, isName } of fields)
      if (isName === true) for (const term of termsOf(text)) names.add(term);
  const byLetters = new Map<string, Set<string>>();
  for (const name of names)
    for (let at = 0; at + partLengthMin <= name.length; at += 1) {
      const letters = name.slice(at, at + partLengthMin);
      const holding = byLetters.get(letters);
      if (holding) holding.add(name);
      else byLetters.set(letters, new Set([name]));
    }
  return (part) =>
    part.length < partLengthMin
      ? []
      : [...(byLetters.get(part.slice(0, partLengthMin)) ?? [])].filter(
          (name) => name !== part && name.includes(part),
        );
}

function frequenciesOf(fields: readonly Field[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { text, weight } of fields)
    for (const term of termsOf(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
  return frequencies;
}

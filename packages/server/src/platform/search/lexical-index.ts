import { termsOf } from './terms.ts';

/** A text of a document and how much a term in it counts: 1 is a term of ordinary weight. */
export type Field = {
  readonly text: string;
  readonly weight: number;
  /** Names run words together, so a word is found within their terms as well: `customer` in `sbcustomer`. */
  readonly isName?: boolean;
};

/** Something to be found, with what is said about it. */
export type IndexedDocument<Item> = { readonly item: Item; readonly fields: readonly Field[] };

/** What was found, best match first. */
export type Match<Item> = { readonly item: Item; readonly score: number };

export type LexicalIndex<Item> = {
  /** Documents that have a term of the words, best first; equal scores stay in the order of the documents. */
  readonly find: (words: string) => Match<Item>[];
};

/** Where a further occurrence of a term stops counting, and how much longer documents give way (Okapi BM25). */
const saturation = 1.2;
const lengthShare = 0.75;

/** What a word counts that is a part of a name's term, and how long it is at least. */
const partShare = 0.5;
const partLengthMin = 3;

type Posting = { readonly document: number; readonly frequency: number };

/**
 * An index in memory that ranks by BM25 over weighted fields: the weighted frequencies of a term are added before they
 * saturate, as BM25F does, so that a name does not lose to a long comment.
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
    const found = new Map((postings.get(term) ?? []).map(({ document, frequency }) => [document, frequency]));
    for (const name of partOf(term)) {
      for (const { document, frequency } of postings.get(name) ?? [])
        found.set(document, (found.get(document) ?? 0) + frequency * partShare);
    }
    return found;
  };

  return {
    find: (words) => {
      const scores = new Map<number, number>();
      for (const term of new Set(termsOf(words))) {
        const found = occurrencesOf(term);
        const rarity = Math.log(1 + (documents.length - found.size + 0.5) / (found.size + 0.5));
        for (const [document, frequency] of found) {
          const share = (lengths[document] ?? 0) / meanLength;
          const norm = saturation * (1 - lengthShare + lengthShare * share);
          const gain = (rarity * frequency * (saturation + 1)) / (frequency + norm);
          scores.set(document, (scores.get(document) ?? 0) + gain);
        }
      }
      return [...scores]
        .sort(([one, score], [other, otherScore]) => otherScore - score || one - other)
        .flatMap(([document, score]) => {
          const found = documents[document];
          return found ? [{ item: found.item, score }] : [];
        });
    },
  };
}

/** Finds names' terms that hold another, by its first letters, so that a long question does not go through all names. */
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

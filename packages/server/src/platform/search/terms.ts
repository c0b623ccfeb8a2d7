import { stemmer } from 'stemmer';

/**
 * Boundaries at a change of case. A run of capitals ends before its last one if a small letter follows:
 * `HTTPServer` is `HTTP Server`.
 */
const caseBoundary = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const separators = /[^\p{L}\p{N}]+/u;

/**
 * Returns the terms of a name or text, in order. It is split at case changes and at all characters other than
 * letters and digits, lower-cased, and reduced to English stems. A name with case changes also yields itself as one
 * term, so that `orderid` finds `OrderId`.
 */
export const termsOf = (text: string): string[] =>
  text.normalize('NFKC').split(separators).filter(Boolean).flatMap(termsOfWord);

/**
 * Maximum size of the cache of words. Names of a schema consist of few words, and splitting and stemming dominates
 * the time of an index.
 */
const knownMax = 20_000;
const termsByWord = new Map<string, readonly string[]>();

function termsOfWord(word: string): readonly string[] {
  const before = termsByWord.get(word);
  if (before) return before;
  const parts = word.split(caseBoundary);
  const terms = (parts.length > 1 ? [...parts, word] : parts).map((part) => stemmer(part.toLowerCase()));
  if (termsByWord.size >= knownMax) termsByWord.clear();
  termsByWord.set(word, terms);
  return terms;
}

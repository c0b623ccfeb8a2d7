import { stemmer } from 'stemmer';

/** A run of capitals ends before the last of them where a small letter follows: `HTTPServer` is `HTTP Server`. */
const caseBoundary = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const separators = /[^\p{L}\p{N}]+/u;

/**
 * The terms of a name or a text, in their order: cut at everything that is no letter or digit and where the case
 * changes, in small letters, reduced to English stems. A name that was cut at its case is a term as a whole too, so
 * that `orderid` finds `OrderId`.
 */
export const termsOf = (text: string): string[] =>
  text.normalize('NFKC').split(separators).filter(Boolean).flatMap(termsOfWord);

/** Names of a schema are made of few words, and cutting and stemming one takes longest of all that an index does. */
const knownMax = 20_000;
const known = new Map<string, readonly string[]>();

function termsOfWord(word: string): readonly string[] {
  const before = known.get(word);
  if (before) return before;
  const parts = word.split(caseBoundary);
  const terms = (parts.length > 1 ? [...parts, word] : parts).map((part) => stemmer(part.toLowerCase()));
  if (known.size >= knownMax) known.clear();
  known.set(word, terms);
  return terms;
}

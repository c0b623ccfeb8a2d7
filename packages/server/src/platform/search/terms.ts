import { stemmer } from 'stemmer';

/** A run of capitals ends before the last of them where a small letter follows: `HTTPServer` is `HTTP Server`. */
const caseBoundary = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const separators = /[^\p{L}\p{N}]+/u;

/**
 * The terms of a name or a text, in their order: cut at everything that is no letter or digit and where the case
 * changes, in small letters, reduced to English stems. A name that was cut at its case is a term as a whole too, so
 * that `orderid` finds `OrderId`.
 */
export function termsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .split(separators)
    .filter(Boolean)
    .flatMap((word) => {
      const parts = word.split(caseBoundary);
      return parts.length > 1 ? [...parts, word] : parts;
    })
    .map((word) => stemmer(word.toLowerCase()));
}

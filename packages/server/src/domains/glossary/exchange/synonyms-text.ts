/** Joins synonyms with `;` and escapes separators inside a synonym with a backslash. */
export const writeSynonyms = (synonyms: readonly string[]): string =>
  synonyms.map((synonym) => synonym.replaceAll(/[\\;]/g, '\\$&')).join('; ');

/** Parses the output of `writeSynonyms`. */
export const readSynonyms = (text: string): string[] =>
  (text.match(/(?:\\[\s\S]|[^\\;])+/g) ?? [])
    .map((part) => part.replaceAll(/\\([\s\S])/g, '$1').trim())
    .filter((synonym) => synonym !== '');

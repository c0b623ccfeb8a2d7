/** Synonyms as one cell: `;` between them, and a backslash before one that belongs to a synonym. */
export const writeSynonyms = (synonyms: readonly string[]): string =>
  synonyms.map((synonym) => synonym.replaceAll(/[\\;]/g, '\\$&')).join('; ');

/** Reads what `writeSynonyms` writes. */
export const readSynonyms = (text: string): string[] =>
  (text.match(/(?:\\[\s\S]|[^\\;])+/g) ?? [])
    .map((part) => part.replaceAll(/\\([\s\S])/g, '$1').trim())
    .filter((synonym) => synonym !== '');

/** Entry that the palette can match against a text. */
export type Findable = {
  readonly label: string;
  readonly group: string;
  /** Other words that users search for. */
  readonly aliases?: readonly string[];
};

/** Returns the singular of a word, so that "queries" matches "query" and "sources" matches "source". */
export function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s,:.…“”"()/-]+/)
    .filter((word) => word !== '');

const stemmed = (text: string): string => wordsOf(text).map(stem).join(' ');

/** Returns the rank of a label for a text: lower is better, undefined means no match. */
export function rank({ label, aliases = [] }: Omit<Findable, 'group'>, search: string): number | undefined {
  const text = search.trim().toLowerCase();
  if (text === '') return 0;
  if (label.toLowerCase() === text) return 0;
  if (stemmed(label) === stemmed(text)) return 1;
  if (label.toLowerCase().startsWith(text)) return 2;
  if (holdsAll(wordsOf(label), text)) return 3;
  if (label.toLowerCase().includes(text)) return 4;
  return aliases.some((alias) => holdsAll([...wordsOf(label), ...wordsOf(alias)], text)) ? 5 : undefined;
}

/** Returns true if each word of the text starts one of the words, in singular or plural. */
const holdsAll = (words: readonly string[], text: string): boolean =>
  wordsOf(text).every((token) =>
    words.some((word) => word.startsWith(token) || stem(word).startsWith(stem(token))),
  );

/** Returns the matching entries, best first. Groups remain together, and the group with the best match comes first. */
export function ranked<T extends Findable>(entries: readonly T[], search: string): readonly T[] {
  const fits = entries.flatMap((entry, order) => {
    const fit = rank(entry, search);
    return fit === undefined ? [] : [{ entry, fit, order }];
  });
  const best = new Map<string, { readonly fit: number; readonly order: number }>();
  for (const { entry, fit, order } of fits) {
    const before = best.get(entry.group);
    best.set(entry.group, { fit: Math.min(before?.fit ?? fit, fit), order: before?.order ?? order });
  }
  const groupOf = (entry: T) => best.get(entry.group) ?? { fit: 0, order: 0 };
  return fits
    .toSorted(
      (a, b) =>
        groupOf(a.entry).fit - groupOf(b.entry).fit ||
        groupOf(a.entry).order - groupOf(b.entry).order ||
        a.fit - b.fit ||
        a.order - b.order,
    )
    .map(({ entry }) => entry);
}

import MiniSearch from 'minisearch';
import { type HelpPage, type HelpSection, sectionsOf } from './help-page.ts';

/** A section that fits what was asked. */
export type HelpHit = Pick<HelpSection, 'id' | 'page' | 'anchor' | 'title' | 'heading'> & {
  /** Words around the first place that fits. */
  readonly excerpt: string;
};

const hitsMax = 20;
const excerptLength = 140;
const leadLength = 40;
/** Letters that a mistyped word may differ by, as a share of its length. */
const fuzziness = 0.2;

/** Makes the search over pages, section by section: what stands in a title or a heading counts more. */
export function createHelpSearch(pages: Iterable<HelpPage>): (text: string) => readonly HelpHit[] {
  const sections = new Map([...pages].flatMap((page) => sectionsOf(page)).map((one) => [one.id, one]));
  const index = new MiniSearch<HelpSection>({
    fields: ['title', 'heading', 'text'],
    // Settings are found by any part of their names.
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).flatMap(withParts),
    searchOptions: {
      boost: { title: 3, heading: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? fuzziness : false),
      combineWith: 'AND',
      tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''),
    },
  });
  index.addAll([...sections.values()]);
  return (text) =>
    index
      .search(text)
      .slice(0, hitsMax)
      .flatMap(({ id, terms }) => {
        const section = sections.get(String(id));
        return section ? [{ ...section, excerpt: excerptOf(section.text, terms) }] : [];
      });
}

/** A word, and the words that it is put together from: `MaxLifetimeDays` is found under `lifetime` as well. */
function withParts(word: string): readonly string[] {
  if (word === '') return [];
  const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
  return parts.length > 1 ? [word, ...parts] : [word];
}

function excerptOf(text: string, terms: readonly string[]): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  const lower = flat.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = first <= leadLength ? 0 : flat.indexOf(' ', first - leadLength) + 1;
  const hasMore = from + excerptLength < flat.length;
  const cut = flat.slice(from, from + excerptLength);
  // Not in the middle of a word.
  const shown = hasMore ? cut.replace(/\s+\S*$/, '') : cut;
  return `${from > 0 ? '… ' : ''}${shown}${hasMore ? ' …' : ''}`;
}

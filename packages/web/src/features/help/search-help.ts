import MiniSearch from 'minisearch';
import { type HelpPage, type HelpSection, sectionsOf } from './help-page.ts';

/** Section that matches a search. */
export type HelpHit = Pick<HelpSection, 'id' | 'page' | 'anchor' | 'title' | 'heading'> & {
  /** Text around the first match. */
  readonly excerpt: string;
};

const hitsMax = 20;
const excerptLength = 140;
const leadLength = 40;
/** Maximum edit distance of a mistyped word, as a share of its length. */
const fuzziness = 0.2;

/** Creates a search over the sections of all pages. Matches in titles and headings have a higher weight. */
export function createHelpSearch(pages: Iterable<HelpPage>): (text: string) => readonly HelpHit[] {
  const sections = new Map([...pages].flatMap((page) => sectionsOf(page)).map((one) => [one.id, one]));
  const index = new MiniSearch<HelpSection>({
    fields: ['title', 'heading', 'text'],
    // Users search for settings by any part of their names.
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

/** Returns a word and the words that it contains: `MaxLifetimeDays` also matches `lifetime`. */
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
  // The excerpt must not end inside a word.
  const shown = hasMore ? cut.replace(/\s+\S*$/, '') : cut;
  return `${from > 0 ? '… ' : ''}${shown}${hasMore ? ' …' : ''}`;
}

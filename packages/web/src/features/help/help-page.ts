/** A page of the documentation, by its path below `docs`. */
export type HelpPage = { readonly path: string; readonly title: string; readonly text: string };

/** A part of a page: what stands below one heading, up to the next. */
export type HelpSection = {
  /** Page and anchor, such as `guides/jobs.md#limits`. */
  readonly id: string;
  readonly page: string;
  readonly anchor: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
};

/** The page that lists the others. */
export const contentsPath = 'README.md';

const comment = /<!--[\s\S]*?-->\n*/g;
const fence = /^(```|~~~)/;
const headingLine = /^#{1,6}\s+(.*?)\s*$/;

/** Markdown of a page as it is shown: what is said to writers is left out. */
export function readHelpPage(path: string, source: string): HelpPage {
  const text = source.replaceAll(comment, '');
  return { path, title: plainText(/^#\s+(.*)$/m.exec(text)?.[1] ?? path), text };
}

/** Inline markdown without its marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim();

/** Gives each heading of a page its anchor, as code hosts do: two of one name are told apart by a number. */
export function createAnchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const slug = plainText(heading)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-');
    const before = seen.get(slug);
    seen.set(slug, (before ?? 0) + 1);
    return before === undefined ? slug : `${slug}-${before}`;
  };
}

const isText = (line: string): boolean => !fence.test(line) && !/^\|[-|: ]+\|$/.test(line);
/** A row of a table as the words in it. */
const withoutBars = (line: string): string => (line.startsWith('|') ? line.replaceAll(/\\?\|/g, ' ') : line);

/** The headings of a text with what stands below each; a line of code is no heading. */
export function sectionsOf({ path, title, text }: HelpPage): readonly HelpSection[] {
  const anchorOf = createAnchors();
  const sections: { heading: string; lines: string[] }[] = [];
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const [, mark] = fence.exec(line) ?? [];
    if (mark !== undefined && (open === undefined || open === mark))
      open = open === undefined ? mark : undefined;
    const [, heading] = open === undefined ? (headingLine.exec(line) ?? []) : [];
    if (heading !== undefined) sections.push({ heading, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ heading, lines }) => {
    const anchor = anchorOf(heading);
    return {
      id: `${path}#${anchor}`,
      page: path,
      anchor,
      title,
      heading: plainText(heading),
      text: plainText(lines.filter(isText).map(withoutBars).join('\n')),
    };
  });
}

/** Where a link of a page leads. */
export type HelpLink =
  | { readonly kind: 'page'; readonly page: string; readonly anchor: string }
  | { readonly kind: 'outside'; readonly href: string }
  /** To a file that is not part of the documentation, such as a decision or a source. */
  | { readonly kind: 'nowhere' };

const root = 'http://help/docs/';

/** Reads a link that stands on the page `from`. */
export function readLink(from: string, href: string, pages: ReadonlySet<string>): HelpLink {
  if (/^https?:\/\//i.test(href)) return { kind: 'outside', href };
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(href)) return { kind: 'nowhere' };
  const url = new URL(href, root + from);
  const page = url.href.startsWith(root) ? decodeURI(url.pathname.slice('/docs/'.length)) : '';
  if (!pages.has(page)) return { kind: 'nowhere' };
  return { kind: 'page', page, anchor: decodeURIComponent(url.hash.slice(1)) };
}

/** Page of the documentation. `path` is relative to `docs`. */
export type HelpPage = { readonly path: string; readonly title: string; readonly text: string };

/** Section of a page: the text between one heading and the next. */
export type HelpSection = {
  /** Page and anchor, such as `guides/jobs.md#limits`. */
  readonly id: string;
  readonly page: string;
  readonly anchor: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
};

/** Page that lists the other pages. */
export const contentsPath = 'README.md';

const comment = /<!--[\s\S]*?-->\n*/g;
const fence = /^(```|~~~)/;
const headingLine = /^#{1,6}\s+(.*?)\s*$/;

/** Returns a page with the Markdown for readers. Removes comments, because they address writers. */
export function readHelpPage(path: string, source: string): HelpPage {
  const text = source.replaceAll(comment, '');
  return { path, title: plainText(/^#\s+(.*)$/m.exec(text)?.[1] ?? path), text };
}

/** Returns inline Markdown without its markup. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim();

/** Returns a function that creates the anchor of each heading, as code hosts do. Equal headings get a number. */
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
/** Returns a table row as plain words. */
const withoutBars = (line: string): string => (line.startsWith('|') ? line.replaceAll(/\\?\|/g, ' ') : line);

/** Returns the sections of a page by its headings. Ignores headings inside code. */
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

/** Target of a link. */
export type HelpLink =
  | { readonly kind: 'page'; readonly page: string; readonly anchor: string }
  | { readonly kind: 'outside'; readonly href: string }
  /** Link to a file outside the documentation, such as a decision or a source file. */
  | { readonly kind: 'nowhere' };

const root = 'http://help/docs/';

/** Reads a link of the page `from`. */
export function readLink(from: string, href: string, pages: ReadonlySet<string>): HelpLink {
  if (/^https?:\/\//i.test(href)) return { kind: 'outside', href };
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(href)) return { kind: 'nowhere' };
  const url = new URL(href, root + from);
  const page = url.href.startsWith(root) ? decodeURI(url.pathname.slice('/docs/'.length)) : '';
  if (!pages.has(page)) return { kind: 'nowhere' };
  return { kind: 'page', page, anchor: decodeURIComponent(url.hash.slice(1)) };
}

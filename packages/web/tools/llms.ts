import { type HelpPage, readLink } from '../src/features/help/help-page.ts';

const summary =
  'Svc is a self-hosted service that watches databases: saved SQL queries run on a schedule, and the people who need to know are told.';

type Pages = ReadonlyMap<string, HelpPage>;

/**
 * The documentation as a list for language models (llmstxt.org): the sections and lines of the page of contents, whose
 * links lead from `/svc/llms.txt` to the markdown of each page.
 */
export function llmsIndex(contents: HelpPage, pages: Pages): string {
  const known = new Set(pages.keys());
  const [, ...sections] = contents.text.split(/^(?=## )/m);
  const linked = sections.join('').replaceAll(/\]\(([^)]+)\)/g, (whole, href: string) => {
    const link = readLink(contents.path, href, known);
    return link.kind === 'page' ? `](help/${link.page}${link.anchor && `#${link.anchor}`})` : whole;
  });
  return `# Svc\n\n> ${summary}\n\nEvery page in one file: [llms-full.txt](llms-full.txt)\n\n${linked.trim()}\n`;
}

/** All pages in one text, in the order of the page of contents, each under its path. */
export function llmsFull(contents: HelpPage, pages: Pages): string {
  const known = new Set(pages.keys());
  const listed = [...contents.text.matchAll(/\]\(([^)]+)\)/g)].flatMap(([, href = '']) => {
    const link = readLink(contents.path, href, known);
    return link.kind === 'page' ? [link.page] : [];
  });
  const order = [...new Set([...listed, ...known])].filter((page) => page !== contents.path);
  const texts = order.map((page) => `<page path="${page}">\n\n${pages.get(page)?.text.trim()}\n\n</page>`);
  return `# Svc\n\n> ${summary}\n\n${texts.join('\n\n')}\n`;
}

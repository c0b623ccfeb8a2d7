import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentsPath, type HelpPage, readLink } from '../../packages/web/src/features/help/help-page.ts';
import { readDocumentation } from '../../packages/web/tools/documentation.ts';

type Pages = ReadonlyMap<string, HelpPage>;
type SidebarGroup = { readonly label: string; readonly items: { label: string; slug: string }[] };

/** The name of a page in the site: its path without the ending; the page of contents is the first page. */
const slugOf = (page: string): string => (page === contentsPath ? 'index' : page.replace(/\.md$/, ''));

/** Where a page of the site is, from the folder of another one: each has a folder of its own. */
function addressFrom(from: string, to: string): string {
  const folder = (page: string) => (page === contentsPath ? '' : slugOf(page));
  const relative = path.posix.relative(`/${folder(from)}`, `/${folder(to)}`);
  return relative === '' ? './' : `${relative}/`;
}

/**
 * A page as the site's generator takes it: its title in its head, links between pages as addresses of the site. What
 * leads to files that are no pages is text.
 */
export function sitePage({ path: from, title, text }: HelpPage, pages: Pages): string {
  const known = new Set(pages.keys());
  const body = text
    .replace(/^#\s+.*\n+/, '')
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(
            /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
            (whole, label: string, href: string) => {
              const link = readLink(from, href, known);
              if (link.kind === 'outside') return whole;
              if (link.kind === 'nowhere') return label;
              return `[${label}](${addressFrom(from, link.page)}${link.anchor && `#${link.anchor}`})`;
            },
          ),
    )
    .join('');
  return `---\ntitle: ${JSON.stringify(title)}\n---\n\n${body}`;
}

/** The sections of the page of contents, as the site's navigation; pages that it leaves out are at the end. */
export function siteSidebar(contents: HelpPage, pages: Pages): readonly SidebarGroup[] {
  const known = new Set(pages.keys());
  const listed = new Set<string>([contentsPath]);
  const groups = contents.text.split(/^(?=## )/m).flatMap((section): SidebarGroup[] => {
    const [, label] = /^## (.*)$/m.exec(section) ?? [];
    if (label === undefined) return [];
    const items = [...section.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].flatMap(([, name = '', href = '']) => {
      const link = readLink(contents.path, href, known);
      if (link.kind !== 'page' || listed.has(link.page)) return [];
      listed.add(link.page);
      return [{ label: name, slug: slugOf(link.page) }];
    });
    return [{ label, items }];
  });
  const others = [...pages.values()].filter(({ path: page }) => !listed.has(page));
  if (others.length === 0) return groups;
  return [
    ...groups,
    { label: 'More', items: others.map(({ path: page, title }) => ({ label: title, slug: slugOf(page) })) },
  ];
}

/** Writes what the site is built from into a folder, anew. */
export function writeSitePages(folder: string): void {
  const pages = readDocumentation();
  const contents = pages.get(contentsPath);
  if (!contents) throw new Error(`The documentation has no ${contentsPath}.`);
  rmSync(folder, { recursive: true, force: true });
  for (const page of pages.values()) {
    const file = path.join(folder, 'pages', `${slugOf(page.path)}.md`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, sitePage(page, pages));
  }
  writeFileSync(path.join(folder, 'sidebar.json'), JSON.stringify(siteSidebar(contents, pages), null, 2));
}

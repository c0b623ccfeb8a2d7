import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentsPath, type HelpPage, readLink } from '../../packages/web/src/features/help/help-page.ts';
import { readDocumentation } from '../../packages/web/tools/documentation.ts';

type Pages = ReadonlyMap<string, HelpPage>;
type SidebarGroup = { readonly label: string; readonly items: { label: string; slug: string }[] };

/** Returns the name of a page in the site: its path without the extension. The page of contents is `index`. */
const slugOf = (page: string): string => (page === contentsPath ? 'index' : page.replace(/\.md$/, ''));

/** Returns the relative address of a page from another page. Each page has its own folder. */
function addressFrom(from: string, to: string): string {
  const folder = (page: string) => (page === contentsPath ? '' : slugOf(page));
  const relative = path.posix.relative(`/${folder(from)}`, `/${folder(to)}`);
  return relative === '' ? './' : `${relative}/`;
}

/**
 * Returns a page in the format of the site generator: the title as front matter, and page links as addresses of the
 * site. Links to other files become text.
 */
export function sitePage({ path: from, title, text }: HelpPage, pages: Pages): string {
  const pagePaths = new Set(pages.keys());
  const body = text
    .replace(/^#\s+.*\n+/, '')
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(
            /\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
            (whole, label: string, href: string) => {
              const link = readLink(from, href, pagePaths);
              if (link.kind === 'outside') return whole;
              if (link.kind === 'nowhere') return label;
              return `[${label}](${addressFrom(from, link.page)}${link.anchor && `#${link.anchor}`})`;
            },
          ),
    )
    .join('');
  return `---\ntitle: ${JSON.stringify(title)}\n---\n\n${body}`;
}

/** Returns the site navigation from the page of contents. Pages that it does not list come last. */
export function siteSidebar(contents: HelpPage, pages: Pages): readonly SidebarGroup[] {
  const pagePaths = new Set(pages.keys());
  const listed = new Set<string>([contentsPath]);
  const groups = contents.text.split(/^(?=## )/m).flatMap((section): SidebarGroup[] => {
    const [, label] = /^## (.*)$/m.exec(section) ?? [];
    if (label === undefined) return [];
    const items = [...section.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].flatMap(([, name = '', href = '']) => {
      const link = readLink(contents.path, href, pagePaths);
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

/** Replaces the sources of the site in a folder. */
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

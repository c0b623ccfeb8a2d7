import { contentsPath, type HelpPage } from '../../packages/web/src/features/help/help-page.ts';

/** Where pages are listed that nobody has put into a section yet. */
const heading = '## More';

/** The page of contents with every page in it: one that it does not list is added at its end, by its title. */
export function contentsPage(text: string, pages: ReadonlyMap<string, HelpPage>): string {
  const missing = [...pages.values()].filter(
    ({ path }) => path !== contentsPath && !text.includes(`](${path})`),
  );
  if (missing.length === 0) return text;
  const lines = missing.map(({ path, title }) => `- [${title}](${path})\n`).join('');
  const start = text.includes(`\n${heading}\n`) ? text.trimEnd() : `${text.trimEnd()}\n\n${heading}\n`;
  return `${start}\n${lines}`;
}

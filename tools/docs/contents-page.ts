import { contentsPath, type HelpPage } from '../../packages/web/src/features/help/help-page.ts';

/** Section for pages that are not yet in another section. */
const heading = '## More';

/** Returns the page of contents. It appends pages that are not listed, by title. */
export function contentsPage(text: string, pages: ReadonlyMap<string, HelpPage>): string {
  const missing = [...pages.values()].filter(
    ({ path }) => path !== contentsPath && !text.includes(`](${path})`),
  );
  if (missing.length === 0) return text;
  const lines = missing.map(({ path, title }) => `- [${title}](${path})\n`).join('');
  const start = text.includes(`\n${heading}\n`) ? text.trimEnd() : `${text.trimEnd()}\n\n${heading}\n`;
  return `${start}\n${lines}`;
}

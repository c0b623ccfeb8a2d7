import { contentsPath, type HelpPage, readHelpPage } from './help-page.ts';

const folder = /^.*?\/docs\//;

const sources = import.meta.glob<string>(
  ['../../../../../docs/**/*.md', '!../../../../../docs/adr/**', '!../../../../../docs/site/**'],
  { query: '?raw', import: 'default', eager: true },
);

/**
 * Pages of the documentation of this build, by path. Architecture decisions are excluded, because they address
 * developers.
 */
export const helpPages: ReadonlyMap<string, HelpPage> = new Map(
  Object.entries(sources).map(([file, source]) => {
    const path = file.replace(folder, '');
    return [path, readHelpPage(path, source)];
  }),
);

/** Returns the page of a path, or the table of contents if the page does not exist. */
export function helpPageOf(path: string): HelpPage {
  const page = helpPages.get(path) ?? helpPages.get(contentsPath);
  if (!page) throw new Error(`The build holds no page ${contentsPath}.`);
  return page;
}

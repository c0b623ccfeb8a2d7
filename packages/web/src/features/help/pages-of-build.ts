import { contentsPath, type HelpPage, readHelpPage } from './help-page.ts';

const folder = /^.*?\/docs\//;

const sources = import.meta.glob<string>(
  ['../../../../../docs/**/*.md', '!../../../../../docs/adr/**', '!../../../../../docs/site/**'],
  { query: '?raw', import: 'default', eager: true },
);

/** Every page of the documentation that this build was made with, by its path. Decisions are for those who build it. */
export const helpPages: ReadonlyMap<string, HelpPage> = new Map(
  Object.entries(sources).map(([file, source]) => {
    const path = file.replace(folder, '');
    return [path, readHelpPage(path, source)];
  }),
);

/** A page that there is: the one of that path, else the one that lists the others. */
export function helpPageOf(path: string): HelpPage {
  const page = helpPages.get(path) ?? helpPages.get(contentsPath);
  if (!page) throw new Error(`The build holds no page ${contentsPath}.`);
  return page;
}

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentsPath, type HelpPage, readHelpPage } from '../src/features/help/help-page.ts';
import { llmsFull, llmsIndex } from './llms.ts';

const docs = path.join(import.meta.dirname, '../../../docs');

/** Below `docs`, and no part of the documentation: decisions are for those who build it; the site is made of the pages. */
const leftOut = /^(adr|site)\//;

const pagePaths = (): string[] =>
  globSync('**/*.md', { cwd: docs, exclude: (entry) => entry === 'node_modules' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !leftOut.test(file))
    .sort();

/** The files that the documentation is made of. */
export const documentationFiles = (): readonly string[] => pagePaths().map((file) => path.join(docs, file));

/** Every page, by its path below `docs`. */
export const readDocumentation = (): ReadonlyMap<string, HelpPage> =>
  new Map(pagePaths().map((file) => [file, readHelpPage(file, readFileSync(path.join(docs, file), 'utf8'))]));

/**
 * Writes what programs read of the documentation beside the built UI: each page as markdown below `help`, `llms.txt`,
 * which lists them, and `llms-full.txt`, which holds all of them.
 */
export function writeDocumentation(dist: string): void {
  const pages = readDocumentation();
  for (const { path: page, text } of pages.values()) {
    const file = path.join(dist, 'help', page);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const contents = pages.get(contentsPath);
  if (!contents) throw new Error(`There is no ${path.join(docs, contentsPath)}.`);
  writeFileSync(path.join(dist, 'llms.txt'), llmsIndex(contents, pages));
  writeFileSync(path.join(dist, 'llms-full.txt'), llmsFull(contents, pages));
}

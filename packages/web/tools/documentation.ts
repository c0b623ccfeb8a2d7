import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentsPath, type HelpPage, readHelpPage } from '../src/features/help/help-page.ts';
import { llmsFull, llmsIndex } from './llms.ts';

const docs = path.join(import.meta.dirname, '../../../docs');

/** Folders of `docs` that are not documentation: decisions are for developers, and the site is built from the pages. */
const leftOut = /^(adr|site)\//;

const pagePaths = (): string[] =>
  globSync('**/*.md', { cwd: docs, exclude: (entry) => entry === 'node_modules' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !leftOut.test(file))
    .sort();

/** Returns the paths of the documentation files. */
export const documentationFiles = (): readonly string[] => pagePaths().map((file) => path.join(docs, file));

/** Returns all pages, by their path below `docs`. */
export const readDocumentation = (): ReadonlyMap<string, HelpPage> =>
  new Map(pagePaths().map((file) => [file, readHelpPage(file, readFileSync(path.join(docs, file), 'utf8'))]));

/**
 * Writes the documentation for programs next to the built UI: each page as Markdown below `help`, `llms.txt` with a
 * list of the pages, and `llms-full.txt` with all pages.
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

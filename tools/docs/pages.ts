import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generateClient } from '../../packages/client/tools/generate.ts';
import { settings } from '../../packages/server/src/platform/config/index.ts';
import { readDocumentation } from '../../packages/web/tools/documentation.ts';
import { allowedFile, readAllowed, readCode, trimAllowed } from '../check/language/banned-words.ts';
import { countHits, lowerHits, proseFile, readAllowedHits, readProse } from '../check/language/prose.ts';
import { limitsFile, lowerSizes, readAllowedSizes, readSizes } from '../check/limits.ts';
import { readAdrs } from './adr.ts';
import { adrIndexPage } from './adr-index-page.ts';
import { benchPage, benchPageFile, readResults } from './bench-page.ts';
import { contentsPage } from './contents-page.ts';
import { errorsPage } from './errors-page.ts';
import { settingsPage } from './settings-page.ts';

const root = path.join(import.meta.dirname, '../..');
const contentsFile = path.join(root, 'docs/README.md');

/** A page of the docs that is generated from the code or from recorded results. */
export type GeneratedPage = { readonly file: string; readonly content: string };

/**
 * Returns all generated pages.
 *
 * @throws Error that names the places when the code cannot be parsed.
 */
export function generatePages(): GeneratedPage[] {
  return [
    { file: path.join(root, 'docs/settings.md'), content: settingsPage(settings) },
    { file: path.join(root, 'docs/errors.md'), content: errorsPage() },
    {
      file: contentsFile,
      content: contentsPage(readFileSync(contentsFile, 'utf8'), readDocumentation()),
    },
    { file: path.join(root, 'docs/adr/README.md'), content: adrIndexPage(readAdrs(root)) },
    {
      file: path.join(root, allowedFile),
      content: `${JSON.stringify(trimAllowed(root, readCode(root), readAllowed(root)), null, 2)}\n`,
    },
    {
      file: path.join(root, proseFile),
      content: `${JSON.stringify(lowerHits(countHits(readProse(root)), readAllowedHits(root)), null, 2)}\n`,
    },
    {
      file: path.join(root, limitsFile),
      content: `${JSON.stringify(lowerSizes(readSizes(root), readAllowedSizes(root)), null, 2)}\n`,
    },
    { file: benchPageFile, content: benchPage(readResults()) },
    ...generateClient(),
  ];
}

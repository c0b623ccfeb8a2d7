import path from 'node:path';
import { settings } from '../../packages/server/src/platform/config/index.ts';
import { errorsPage } from './errors-page.ts';
import { settingsPage } from './settings-page.ts';

const root = path.join(import.meta.dirname, '../..');

/** A page of the docs that is written from the code. */
export type GeneratedPage = { readonly file: string; readonly content: string };

/** All pages that are written from the code. */
export function generatePages(): GeneratedPage[] {
  return [
    { file: path.join(root, 'docs/settings.md'), content: settingsPage(settings) },
    { file: path.join(root, 'docs/errors.md'), content: errorsPage() },
  ];
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { generatePages } from '../../docs/pages.ts';

/** Names the generated pages whose file differs from the output of `npm run docs`. */
export const findStalePages = (root: string): string[] =>
  generatePages()
    .filter(({ file, content }) => !existsSync(file) || readFileSync(file, 'utf8') !== content)
    .map(({ file }) => `${path.relative(root, file)} differs from the output of "npm run docs". Run it.`);

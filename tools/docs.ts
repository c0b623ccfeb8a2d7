import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generatePages } from './docs/pages.ts';

/** `npm run docs`: regenerates the pages that come from the code. */
for (const { file, content } of generatePages()) {
  writeFileSync(file, content);
  process.stdout.write(`Wrote ${path.relative(process.cwd(), file)}.\n`);
}

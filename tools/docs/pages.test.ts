import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { generatePages } from './pages.ts';

describe('pages generated from the code', () => {
  test.each(generatePages().map(({ file, content }) => [path.basename(file), file, content]))(
    '%s equals the output of "npm run docs"',
    (_name, file, content) => {
      expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(content);
    },
  );

  test('every row of the errors page has text in each cell', () => {
    const page = generatePages().find(({ file }) => file.endsWith('errors.md'));
    const rows = (page?.content ?? '').split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((line) => /\|\s*\|/.test(line))).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { readHelpPage } from '../../packages/web/src/features/help/help-page.ts';
import { contentsPage } from './contents-page.ts';

const pages = new Map(
  ['README.md', 'a.md', 'guides/b.md'].map((path) => [path, readHelpPage(path, `# Page ${path}\n`)]),
);

test('pages that are not listed are added once, at the end', () => {
  const text = '# Docs\n\n## Use\n\n- [A](a.md): about a\n';
  const whole = contentsPage(text, pages);
  expect(whole).toBe(`${text}\n## More\n\n- [Page guides/b.md](guides/b.md)\n`);
  expect(contentsPage(whole, pages)).toBe(whole);
  const more = new Map([...pages, ['c.md', readHelpPage('c.md', '# C\n')] as const]);
  expect(contentsPage(whole, more)).toBe(`${whole}- [C](c.md)\n`);
});

test('a page of contents that lists all pages remains unchanged', () => {
  const text = '# Docs\n\n[A](a.md) [B](guides/b.md)\n';
  expect(contentsPage(text, pages)).toBe(text);
});

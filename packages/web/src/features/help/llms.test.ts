import { expect, test } from 'vitest';
import { readDocumentation } from '../../../tools/documentation.ts';
import { llmsFull, llmsIndex } from '../../../tools/llms.ts';
import { readHelpPage } from './help-page.ts';

const pages = new Map(
  [
    readHelpPage(
      'README.md',
      '# Docs\n\nIntro.\n\n## Use\n\n- [B](guides/b.md#x): about b\n- [Out](https://example.org)\n',
    ),
    readHelpPage('a.md', '# A\n\n<!-- for writers -->\nText of a'),
    readHelpPage('guides/b.md', '# B\n\nText of b'),
  ].map((page) => [page.path, page]),
);
const [contents] = pages.values();
if (!contents) throw new Error('There is no page.');

test('llms.txt links to the text of each page, relative to its own address', () => {
  const text = llmsIndex(contents, pages);
  expect(text).toMatch(/^# Svc\n\n> .+\n\n/);
  expect(text).toContain('## Use\n\n- [B](help/guides/b.md#x): about b\n- [Out](https://example.org)');
  expect(text).not.toContain('Intro');
});

test('the full text contains each page once, listed pages first', () => {
  const text = llmsFull(contents, pages);
  expect([...text.matchAll(/<page path="([^"]+)">/g)].map(([, path]) => path)).toEqual([
    'guides/b.md',
    'a.md',
  ]);
  expect(text).toContain('Text of b');
  expect(text).not.toContain('for writers');
});

test('the contents page links to every page of the documentation', () => {
  const all = readDocumentation();
  const listed = all.get('README.md')?.text ?? '';
  expect([...all.keys()].filter((path) => path !== 'README.md' && !listed.includes(`](${path})`))).toEqual(
    [],
  );
});

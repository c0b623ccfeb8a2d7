import { expect, test } from 'vitest';
import { checkDocuments } from '../check-documents.ts';
import { documentBytesMax, documentsMax } from '../types.ts';
import { documentOf } from './text.ts';

const titleOf = (content: string, path = 'guides/order-lines.md') => documentOf({ path, content }).title;

test('the title is that of the front matter, else the first heading of level 1, else the name of the file', () => {
  expect(titleOf('---\ntitle: "Orders, explained"\nowner: shop\n---\n# Another\n')).toBe('Orders, explained');
  expect(titleOf('---\nowner: shop\n---\n\n## Smaller\n\n# Orders #\n')).toBe('Orders');
  expect(titleOf('```sh\n# a comment\n```\n\n# Orders\n')).toBe('Orders');
  expect(titleOf('~~~\n```\n# a comment\n~~~\n# Orders\r\n')).toBe('Orders');
  expect(titleOf('#hashtag\n')).toBe('order-lines');
  expect(titleOf('', 'readme.txt')).toBe('readme');
  expect(titleOf(`# ${'long '.repeat(200)}`).length).toBeLessThanOrEqual(400);
});

test('a title cut inside a character can be stored, and a long line of spaces does not slow the title search', () => {
  expect(titleOf(`# ${'a'.repeat(399)}😀`).isWellFormed()).toBe(true);
  const spaces = ' '.repeat(documentBytesMax - 20);
  expect(titleOf(`# a${spaces}b`)).toBe(`a${' '.repeat(399)}`);
  expect(titleOf(`---\ntitle: a${spaces}b\n---\nText`)).toBe(`a${' '.repeat(399)}`);
  expect(titleOf(`# a${'# '.repeat(100_000)}b`)).toHaveLength(400);
  expect(titleOf('# C#\n')).toBe('C#');
  expect(titleOf('# #\n')).toBe('order-lines');
  expect(titleOf('# Orders ###  \n')).toBe('Orders');
});

test('front matter is removed from the text, and a rule in the middle of the text is not front matter', () => {
  expect(documentOf({ path: 'a.md', content: '---\ntitle: A\n---\nText\n' }).content).toBe('Text\n');
  expect(documentOf({ path: 'a.md', content: 'Text\n---\ntitle: A\n---\n' }).content).toContain('title: A');
});

test('a change in the front matter alone counts as a change of the document', () => {
  const hashOf = (content: string) => documentOf({ path: 'a.md', content }).hash.toString('hex');
  expect(hashOf('---\nowner: a\n---\nText')).not.toBe(hashOf('---\nowner: b\n---\nText'));
});

test('documents with unsafe paths, text that cannot be stored, or beyond the limits are left out', () => {
  const given = (path: string, content = 'Text') => ({ path, content });
  const { documents, leftOut } = checkDocuments([
    given('a.md'),
    given('a.md', 'Again'),
    given('../a.md'),
    given('/etc/a.md'),
    given('b//a.md'),
    given('b\\a.md'),
    given(`${'b/'.repeat(200)}a.md`),
    given('nul.md', 'a\0b'),
    given('half.md', '\ud800'),
    given('large.md', 'x'.repeat(documentBytesMax + 1)),
    given('full.md', 'x'.repeat(documentBytesMax)),
  ]);
  expect(documents.map(({ path, content }) => [path, content.length])).toEqual([
    ['a.md', 4],
    ['full.md', documentBytesMax],
  ]);
  expect(leftOut.map(({ reason }) => reason)).toEqual([
    'twice',
    ...Array<string>(5).fill('bad-path'),
    'not-utf-8',
    'not-utf-8',
    'too-large',
  ]);
  const many = Array.from({ length: documentsMax + 2 }, (_one, index) => given(`${index}.md`));
  expect(checkDocuments(many).leftOut).toHaveLength(2);
});

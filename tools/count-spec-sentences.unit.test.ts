import { expect, test } from 'vitest';
import { countDocument, countSentences } from './count-spec-sentences.ts';

test.each([
  ['One thing. Another thing.', 2],
  ['1. A list item without a stop', 1],
  ['Leads in to a list:', 1],
  ['Uses `a.b. C` and, e.g. Paris, i.e. a name.', 1],
  ['Is it so? It is (see 5.6).', 2],
  ['A limit of 5.5 seconds.', 1],
])('counts the sentences of "%s"', (block, expected) => {
  expect(countSentences(block)).toBe(expected);
});

test('counts rows and sentences of each section without those of its subsections', () => {
  const markdown = [
    '# Title',
    'Before. All.',
    '## 1. First',
    'A paragraph over',
    'two lines. And more.',
    '',
    '| Head | Cell |',
    '|---|:--|',
    '| a. b. | c |',
    '| d | e |',
    '### 1.2 Inner',
    '1. One item.',
    '2. Two. Sentences.',
    '```',
    'Not counted. At all.',
    '```',
  ].join('\n');
  expect(countDocument(markdown)).toEqual([
    { section: '0', title: 'Before the first section', rows: 0, sentences: 2 },
    { section: '1', title: 'First', rows: 2, sentences: 2 },
    { section: '1.2', title: 'Inner', rows: 0, sentences: 3 },
  ]);
});

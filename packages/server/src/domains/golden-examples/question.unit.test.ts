import { expect, test } from 'vitest';
import { questionKey } from './question.ts';

test.each([
  ['How many orders are open?', ' how  many\norders are OPEN '],
  ['Total of May?!', 'total of may.'],
  ['ﬁrst order', 'first order'],
])('%s and %s are the same question', (one, other) => {
  expect(questionKey(one)).toBe(questionKey(other));
});

test.each([
  ['How many orders are open?', 'How many orders are closed?'],
  ['Orders below 1.5', 'Orders below 15'],
  ['Is it?', '?'],
])('%s and %s are different questions', (one, other) => {
  expect(questionKey(one)).not.toBe(questionKey(other));
});

import { expect, test } from 'vitest';
import { decideTask } from './decide.ts';

const found = { resultCount: 2, minimumRowCount: null, createTasks: true, isOpen: false };

test.each([
  ['rows open a task', {}, 'Open'],
  ['rows keep an open one', { isOpen: true }, 'Update'],
  ['no rows resolve it', { isOpen: true, resultCount: 0 }, 'Resolve'],
  ['no rows without one are nothing', { resultCount: 0 }, 'Nothing'],
  ['rows under the minimum open none', { minimumRowCount: 3 }, 'Nothing'],
  ['rows under the minimum resolve one', { minimumRowCount: 3, isOpen: true }, 'Resolve'],
  ['rows at the minimum open one', { minimumRowCount: 2 }, 'Open'],
  ['a subscription without tasks opens none', { createTasks: false }, 'Nothing'],
  [
    'and its open one is followed to its end',
    { createTasks: false, isOpen: true, resultCount: 0 },
    'Resolve',
  ],
  ['with its count', { createTasks: false, isOpen: true }, 'Update'],
] as const)('%s', (_title, change, decision) => {
  expect(decideTask({ ...found, ...change })).toBe(decision);
});

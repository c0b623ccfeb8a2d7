import { expect, test } from 'vitest';
import { decideContractTask, decideTask } from './decide.ts';

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
] as const)('subscriptions: %s', (_title, change, decision) => {
  expect(decideTask({ ...found, ...change })).toBe(decision);
});

const judged = {
  outcome: 'Failed',
  isScheduled: true,
  createTasks: true,
  isOpen: false,
  goodRuns: 0,
  recoverRuns: 1,
} as const;

test.each([
  ['a failure opens a task', {}, 'Open'],
  ['one that was looked for by hand opens none', { isScheduled: false }, 'Nothing'],
  ['a warning opens none', { outcome: 'Warned' }, 'Nothing'],
  ['a contract without tasks opens none', { createTasks: false }, 'Nothing'],
  ['a failure keeps an open one', { isOpen: true }, 'Update'],
  [
    'a good evaluation resolves it, also by hand',
    { isOpen: true, outcome: 'Passed', goodRuns: 1, isScheduled: false },
    'Resolve',
  ],
  [
    'one good evaluation of two leaves it',
    { isOpen: true, outcome: 'Passed', goodRuns: 1, recoverRuns: 2 },
    'Update',
  ],
  ['the second resolves it', { isOpen: true, outcome: 'Passed', goodRuns: 2, recoverRuns: 2 }, 'Resolve'],
  [
    'also when the contract makes none any more',
    { isOpen: true, createTasks: false, outcome: 'Passed', goodRuns: 1 },
    'Resolve',
  ],
] as const)('data contracts: %s', (_title, change, decision) => {
  expect(decideContractTask({ ...judged, ...change })).toBe(decision);
});

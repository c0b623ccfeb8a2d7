import { expect, test } from 'vitest';
import { decideContractTask, decideTask } from './decide.ts';

const situation = { resultCount: 2, minimumRowCount: null, createTasks: true, isOpen: false };

test.each([
  ['rows open a task', {}, 'Open'],
  ['rows update an open task', { isOpen: true }, 'Update'],
  ['no rows resolve an open task', { isOpen: true, resultCount: 0 }, 'Resolve'],
  ['no rows and no open task have no effect', { resultCount: 0 }, 'Nothing'],
  ['rows below the minimum open no task', { minimumRowCount: 3 }, 'Nothing'],
  ['rows below the minimum resolve an open task', { minimumRowCount: 3, isOpen: true }, 'Resolve'],
  ['rows at the minimum open a task', { minimumRowCount: 2 }, 'Open'],
  ['a subscription without tasks opens no task', { createTasks: false }, 'Nothing'],
  [
    'a subscription without tasks resolves its open task if it has no rows',
    { createTasks: false, isOpen: true, resultCount: 0 },
    'Resolve',
  ],
  [
    'a subscription without tasks updates its open task with the row count',
    { createTasks: false, isOpen: true },
    'Update',
  ],
] as const)('subscriptions: %s', (_title, change, decision) => {
  expect(decideTask({ ...situation, ...change })).toBe(decision);
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
  ['a failure of a manual evaluation opens no task', { isScheduled: false }, 'Nothing'],
  ['a warning opens no task', { outcome: 'Warned' }, 'Nothing'],
  ['a contract without tasks opens no task', { createTasks: false }, 'Nothing'],
  ['a failure updates an open task', { isOpen: true }, 'Update'],
  [
    'a passed manual evaluation resolves an open task',
    { isOpen: true, outcome: 'Passed', goodRuns: 1, isScheduled: false },
    'Resolve',
  ],
  [
    'the first of two required passed evaluations does not resolve an open task',
    { isOpen: true, outcome: 'Passed', goodRuns: 1, recoverRuns: 2 },
    'Update',
  ],
  [
    'the second of two required passed evaluations resolves an open task',
    { isOpen: true, outcome: 'Passed', goodRuns: 2, recoverRuns: 2 },
    'Resolve',
  ],
  [
    'a passed evaluation of a contract without tasks resolves its open task',
    { isOpen: true, createTasks: false, outcome: 'Passed', goodRuns: 1 },
    'Resolve',
  ],
] as const)('data contracts: %s', (_title, change, decision) => {
  expect(decideContractTask({ ...judged, ...change })).toBe(decision);
});

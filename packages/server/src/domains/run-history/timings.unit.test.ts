import { expect, test } from 'vitest';
import { timingsOf } from './timings.ts';

const step = {
  order: 1,
  name: 'step1',
  dataSourceId: '7',
  outcome: 'Succeeded' as const,
  rowCount: 3,
  startedMs: 5,
  executionTimeMs: 20,
  usage: {},
  error: null,
  preview: null,
};
const storedStep = {
  name: 'step1',
  dataSourceId: 7,
  outcome: 'Succeeded',
  rowCount: 3,
  startedMs: 5,
  tookMs: 20,
};

test('a run stores the scanned bytes and the retries of each statement if its engine reports them', () => {
  const stepResults = [
    step,
    { ...step, usage: { scannedBytes: 1_024 } },
    { ...step, usage: { scannedBytes: 0, billedBytes: null } },
    { ...step, usage: { retries: { count: 2, waitedMs: 9 } } },
  ];
  expect(timingsOf(new Date(0), { stepResults }).statements).toEqual([
    storedStep,
    { ...storedStep, scannedBytes: 1_024 },
    { ...storedStep, scannedBytes: 0, billedBytes: null },
    { ...storedStep, retries: { count: 2, waitedMs: 9 } },
  ]);
});

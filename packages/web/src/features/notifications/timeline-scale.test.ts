import type { RunTimeline } from '@svc/contract';
import { expect, test } from 'vitest';
import { barOf, scaleOf } from './timeline-scale.ts';

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const run: RunTimeline = {
  ...{ request: null, traceId: null, jobId: null, waitedMs: 90_000, queryMs: 4_000, maskingMs: 1, tasks: [] },
  ...{ dueAt: at(10), startedAt: at(100), finishedAt: at(110), statements: [], attempts: [] },
};

test('the scale is the run itself, from its start to its end', () => {
  expect(scaleOf(run)).toEqual({ from: 100_000, to: 110_000 });
  expect(scaleOf({ ...run, startedAt: null, finishedAt: null })).toEqual({ from: 10_000, to: 10_001 });
});

test('a bar lies where it happened, is cut at the ends, never vanishes, and is left out when it lies outside', () => {
  const scale = { from: 100, to: 200 };
  expect(barOf(scale, 110, 160)).toEqual({ left: 10, width: 50 });
  expect(barOf(scale, 0, 120)).toEqual({ left: 0, width: 20 });
  expect(barOf(scale, 200, 200)).toEqual({ left: 99.4, width: 0.6 });
  expect(barOf(scale, 201, 300)).toBeUndefined();
  expect(barOf(scale, 0, 99)).toBeUndefined();
});

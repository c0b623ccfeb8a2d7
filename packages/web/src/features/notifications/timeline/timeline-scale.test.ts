import type { RunTimeline } from '@svc/contract';
import { expect, test } from 'vitest';
import { barOf, scaleOf, waitStartOf } from './timeline-scale.ts';

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const run: RunTimeline = {
  request: null,
  traceId: null,
  jobId: null,
  waitedMs: 90_000,
  queryMs: 4_000,
  maskingMs: 1,
  tasks: [],
  dueAt: at(10),
  startedAt: at(100),
  finishedAt: at(110),
  statements: [],
  attempts: [],
};

test('the scale starts with the wait, and shortens a wait that is much longer than the run', () => {
  expect(scaleOf({ ...run, dueAt: at(98), waitedMs: 2_000 })).toEqual({ from: 98_000, to: 110_000 });
  expect(scaleOf(run)).toEqual({ from: 60_000, to: 110_000 });
  expect(scaleOf({ ...run, startedAt: null, finishedAt: null })).toEqual({ from: 10_000, to: 10_001 });
});

test('a wait of 338 ms is wider than a statement of 142 ms', () => {
  const started = Date.parse(at(100));
  const waited = { ...run, dueAt: at(99), startedAt: at(100), waitedMs: 338 };
  const scale = scaleOf({ ...waited, finishedAt: new Date(started + 142).toISOString() });
  const wait = barOf(scale, waitStartOf(waited), started);
  const statement = barOf(scale, started, started + 142);
  expect(wait?.width).toBeCloseTo((338 / 480) * 100);
  expect(statement?.width).toBeCloseTo((142 / 480) * 100);
});

test('a bar is at its time, is cut at the ends, has a minimum width, and is omitted outside the scale', () => {
  const scale = { from: 100, to: 200 };
  expect(barOf(scale, 110, 160)).toEqual({ left: 10, width: 50, isCut: false });
  expect(barOf(scale, 0, 120)).toEqual({ left: 0, width: 20, isCut: true });
  expect(barOf(scale, 200, 200)).toEqual({ left: 99.4, width: 0.6, isCut: false });
  expect(barOf(scale, 201, 300)).toBeUndefined();
  expect(barOf(scale, 0, 99)).toBeUndefined();
});

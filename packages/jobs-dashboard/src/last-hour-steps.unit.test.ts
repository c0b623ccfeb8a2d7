import type { JobState } from '@svc/jobs';
import { describe, expect, it } from 'vitest';
import { states } from '../ui/src/lib/states.ts';
import { lastHour, queueChart } from '../ui/src/pages/overview/overview-charts.ts';

const everyMs = 30_000;
const nowMs = Date.parse('2026-03-10T12:00:00Z');
const at = (agoMs: number) => new Date(nowMs - agoMs).toISOString();
const none = Object.fromEntries(states.map((state) => [state, 0])) as Record<JobState, number>;
const sample = (agoMs: number, mail: number) => ({
  at: at(agoMs),
  states: { ...none, Enqueued: mail },
  waiting: mail > 0 ? { mail } : {},
});
const now = {
  at: at(0),
  states: states.map((state) => ({ state, count: 0, isEstimate: false })),
  queues: [],
  servers: { count: 1, lostCount: 0, capacity: 1 },
};
const waiting = (items: readonly ReturnType<typeof sample>[]) =>
  queueChart(lastHour({ everyMs, items }, now)).series[0]?.values;

describe('the steps of the last hour', () => {
  it('begin with the first sample, include slightly late samples, and end now', () => {
    const items = [
      sample(150_400, 5),
      sample(120_300, 4),
      sample(90_200, 3),
      sample(60_100, 2),
      sample(29_900, 1),
    ];
    expect(waiting(items)).toEqual([null, 5, 4, 3, 2, 1, 0]);
  });

  it('have a gap without a sample, and a zero if no job waited', () => {
    const items = [sample(150_000, 5), sample(120_000, 0), sample(30_000, 1)];
    expect(waiting(items)).toEqual([5, 0, null, null, 1, 0]);
  });

  it('cover at most an hour, for any number of samples', () => {
    const items = Array.from({ length: 200 }, (_, index) => sample((200 - index) * everyMs, 1));
    expect(lastHour({ everyMs, items }, now)).toHaveLength(121);
  });

  it('are a few empty steps and the present one, before the first sample', () => {
    expect(lastHour(undefined, now).map(({ sample: seen }) => seen !== undefined)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});

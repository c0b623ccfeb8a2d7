import { describe, expect, it } from 'vitest';
import { createPrefetch } from './prefetch.ts';

const concurrency = 10;
const observe = (durationMs: number, count: number, prefetch = createPrefetch(concurrency, 1_000)) => {
  for (let at = 0; at < count; at += 1) prefetch.observe(durationMs);
  return prefetch;
};

describe('what a worker takes ahead', () => {
  it('is nothing before the first job has ended and for jobs that are long, else the work of 50 ms', () => {
    expect(createPrefetch(concurrency, 1_000).count()).toBe(0);
    expect(observe(21, 1).count()).toBe(0);
    expect(observe(5, 1).count()).toBe(100);
    expect(observe(0.01, 1).count()).toBe(1_000);
  });

  it('is soon what the jobs are worth after a slow first one', () => {
    expect(observe(0.4, 9, observe(15, 1)).count()).toBeGreaterThan(250);
  });

  it('survives one pause of the process, which all running jobs meet', () => {
    const paused = observe(30, concurrency, observe(0.2, 100));
    expect(paused.count()).toBeGreaterThan(100);
    expect(observe(0.2, 20, paused).count()).toBeGreaterThan(750);
  });

  it('becomes nothing when jobs become long, after some thirty of them', () => {
    const changed = observe(0.2, 100);
    expect(observe(200, 35, changed).count()).toBe(0);
  });

  it('is asked for again as soon as no more than that waits', () => {
    const prefetch = observe(5, 1);
    expect([100, 101].map((waiting) => prefetch.wants(waiting))).toEqual([true, false]);
  });
});

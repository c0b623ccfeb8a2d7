import { describe, expect, it } from 'vitest';
import { createPrefetch } from './prefetch.ts';

const concurrency = 10;
const observe = (durationMs: number, count: number, prefetch = createPrefetch(concurrency, 1_000)) => {
  for (let at = 0; at < count; at += 1) prefetch.observe(durationMs);
  return prefetch;
};

describe('the prefetch size of a worker', () => {
  it('is zero before the first job has ended and for long jobs, otherwise the work of 50 ms', () => {
    expect(createPrefetch(concurrency, 1_000).count()).toBe(0);
    expect(observe(21, 1).count()).toBe(0);
    expect(observe(5, 1).count()).toBe(100);
    expect(observe(0.01, 1).count()).toBe(1_000);
  });

  it('increases soon after a slow first job', () => {
    expect(observe(0.4, 9, observe(15, 1)).count()).toBeGreaterThan(250);
  });

  it('recovers from one pause of the process, which affects all running jobs', () => {
    const paused = observe(30, concurrency, observe(0.2, 100));
    expect(paused.count()).toBeGreaterThan(100);
    expect(observe(0.2, 20, paused).count()).toBeGreaterThan(750);
  });

  it('becomes zero after about thirty long jobs', () => {
    const changed = observe(0.2, 100);
    expect(observe(200, 35, changed).count()).toBe(0);
  });

  it('causes a new claim as soon as no more than this number of jobs waits', () => {
    const prefetch = observe(5, 1);
    expect([100, 101].map((waiting) => prefetch.wants(waiting))).toEqual([true, false]);
  });
});

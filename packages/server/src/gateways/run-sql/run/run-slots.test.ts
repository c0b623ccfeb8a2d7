import { describe, expect, it } from 'vitest';
import { refusalOf } from '../testing/results.ts';
import { createRunSlots } from './run-slots.ts';

const signal = new AbortController().signal;

describe('run slots', () => {
  it('are assigned in the order of the requests, and each is returned once even after several releases', async () => {
    const slots = createRunSlots({ perDataSource: 1 });
    const first = await slots.takeForDataSource('a', () => ({ signal }));
    const order: number[] = [];
    const second = slots
      .takeForDataSource('a', () => ({ signal }))
      .then((release) => {
        order.push(2);
        return release;
      });
    const third = slots
      .takeForDataSource('a', () => ({ signal }))
      .then((release) => {
        order.push(3);
        return release;
      });
    first();
    first();
    (await second)();
    (await third)();
    expect(order).toEqual([2, 3]);
    (await slots.takeForDataSource('a', () => ({ signal })))();
  });

  it('of one data source or caller do not delay another one', async () => {
    const slots = createRunSlots({ perDataSource: 1, perCaller: 1 });
    await slots.takeForDataSource('a', () => ({ signal }));
    await slots.takeForDataSource('b', () => ({ signal }));
    await slots.takeForCaller('a', () => ({ signal }));
    await slots.takeForCaller('b', () => ({ signal }));
  });

  it('are refused with too-many-runs if the queue is full or the wait is too long', async () => {
    const slots = createRunSlots({ perCaller: 1, queueMax: 1, queueWaitMs: 20 });
    const release = await slots.takeForCaller('a', () => ({ signal }));
    const waiting = slots.takeForCaller('a', () => ({ signal }));
    expect(await refusalOf(slots.takeForCaller('a', () => ({ signal })))).toMatchObject({
      code: 'too-many-runs',
    });
    expect(await refusalOf(waiting)).toMatchObject({ code: 'too-many-runs', retryAfterSeconds: 1 });
    release();
    (await slots.takeForCaller('a', () => ({ signal })))();
  });

  it('end a wait when the time of the run ends earlier', async () => {
    const slots = createRunSlots({ perCaller: 1, queueMax: 1, queueWaitMs: 3_600_000 });
    const release = await slots.takeForCaller('a', () => ({ signal }));
    // At the end of the wait in the queue the code would be too-many-runs.
    expect(await refusalOf(slots.takeForCaller('a', () => ({ signal, leftMs: 20 })))).toMatchObject({
      code: 'timed-out',
    });
    const next = slots.takeForCaller('a', () => ({ signal, leftMs: 3_600_000 }));
    release();
    (await next)();
  });

  it('free their place in the queue when the caller gives up', async () => {
    const slots = createRunSlots({ perCaller: 1, queueMax: 1 });
    const release = await slots.takeForCaller('a', () => ({ signal }));
    const controller = new AbortController();
    const waiting = slots.takeForCaller('a', () => controller);
    controller.abort();
    expect(await refusalOf(waiting)).toMatchObject({ code: 'cancelled' });
    expect(await refusalOf(slots.takeForCaller('a', () => controller))).toMatchObject({ code: 'cancelled' });
    const next = slots.takeForCaller('a', () => ({ signal }));
    release();
    (await next)();
  });
});

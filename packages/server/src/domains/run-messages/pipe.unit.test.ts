import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPipe } from './pipe.ts';

describe('a pipe', () => {
  test('delivers every value in order, and then ends', async () => {
    const pipe = createPipe<number>(2);
    const read: number[] = [];
    const reading = (async () => {
      for await (const value of pipe.values) {
        await setImmediate();
        read.push(value);
      }
    })();
    for (let value = 0; value < 100; value += 1) await pipe.push(value);
    pipe.end();
    await reading;
    expect(read).toEqual(Array.from({ length: 100 }, (_, value) => value));
  });

  test('makes the writer wait while it is full', async () => {
    const pipe = createPipe<number>(2);
    await pipe.push(1);
    let isDone = false;
    const second = pipe.push(2).then(() => {
      isDone = true;
    });
    await setImmediate();
    expect(isDone).toBe(false);
    const reader = pipe.values[Symbol.asyncIterator]();
    await reader.next();
    await second;
  });

  test.each(['before it began', 'on its way'])('releases the writer if the reader stops %s', async (when) => {
    const pipe = createPipe<number>(1);
    const waiting = pipe.push(1);
    if (when === 'on its way') for await (const _value of pipe.values) break;
    else pipe.abandon();
    await waiting;
    await pipe.push(2);
  });

  test('makes the reader fail with the error of the writer', async () => {
    const pipe = createPipe<number>(4);
    await pipe.push(1);
    pipe.fail(new Error('the query failed'));
    const read = async () => {
      for await (const _value of pipe.values);
    };
    await expect(read()).rejects.toThrow('the query failed');
  });
});

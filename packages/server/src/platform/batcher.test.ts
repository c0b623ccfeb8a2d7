import { expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

test('what comes in together, or while a call is under way, shares a call; answers keep their item', async () => {
  const calls: number[][] = [];
  const gate = Promise.withResolvers<void>();
  const batcher = createBatcher(async (items: readonly number[]) => {
    calls.push([...items]);
    if (calls.length === 1) await gate.promise;
    return items.map((item) => item * 10);
  }, 3);
  const first = [batcher.put(1), batcher.put(2)];
  await Promise.resolve();
  await Promise.resolve();
  const later = [3, 4, 5, 6].map(batcher.put);
  gate.resolve();
  expect(await Promise.all([...first, ...later])).toEqual([10, 20, 30, 40, 50, 60]);
  expect(calls).toEqual([[1, 2], [3, 4, 5], [6]]);
});

test('a call that fails rejects its own items only', async () => {
  const batcher = createBatcher(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('refused');
    return items;
  }, 1);
  const [bad, good] = await Promise.allSettled([batcher.put('bad'), batcher.put('good')]);
  expect([bad?.status, good?.status]).toEqual(['rejected', 'fulfilled']);
  expect(await batcher.put('again')).toBe('again');
});

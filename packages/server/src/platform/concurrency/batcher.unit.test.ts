import { afterEach, expect, test, vi } from 'vitest';
import { createBatcher } from './batcher.ts';

afterEach(() => void vi.useRealTimers());

test('items that arrive together or during a call share a call, and each answer belongs to its item', async () => {
  const calls: number[][] = [];
  const gate = Promise.withResolvers<void>();
  const batcher = createBatcher(
    async (items: readonly number[]) => {
      calls.push([...items]);
      if (calls.length === 1) await gate.promise;
      return items.map((item) => item * 10);
    },
    { sizeMax: 3 },
  );
  const first = [batcher.put(1), batcher.put(2)];
  await Promise.resolve();
  await Promise.resolve();
  const later = [3, 4, 5, 6].map(batcher.put);
  gate.resolve();
  expect(await Promise.all([...first, ...later])).toEqual([10, 20, 30, 40, 50, 60]);
  expect(calls).toEqual([[1, 2], [3, 4, 5], [6]]);
});

test('with two concurrent calls an item does not wait for an earlier call, and no third call starts', async () => {
  const calls: string[][] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const batcher = createBatcher(
    async (items: readonly string[]) => {
      calls.push([...items]);
      const gate = Promise.withResolvers<void>();
      gates.set(items.join(''), gate);
      await gate.promise;
      return items;
    },
    { sizeMax: 10, callsMax: 2 },
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const together = [batcher.put('a'), batcher.put('b')];
  await turn();
  const second = batcher.put('c');
  await turn();
  const third = [batcher.put('d'), batcher.put('e')];
  await turn();
  expect(calls).toEqual([['a', 'b'], ['c']]);
  gates.get('c')?.resolve();
  expect(await second).toBe('c');
  await turn();
  expect(calls).toEqual([['a', 'b'], ['c'], ['d', 'e']]);
  gates.get('ab')?.resolve();
  gates.get('de')?.resolve();
  expect(await Promise.all([...together, ...third])).toEqual(['a', 'b', 'd', 'e']);
});

test('with patience calls follow one another, and another call starts only if one hangs', async () => {
  const calls: string[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const batcher = createBatcher(
    async (items: readonly string[]) => {
      calls.push([...items]);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return items;
    },
    { sizeMax: 10, callsMax: 2, patienceMs: 20 },
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const first = batcher.put('a');
  await turn();
  const second = [batcher.put('b'), batcher.put('c')];
  await turn();
  expect(calls).toEqual([['a']]);
  gates[0]?.resolve();
  expect(await first).toBe('a');
  await turn();
  expect(calls).toEqual([['a'], ['b', 'c']]);
  const third = [batcher.put('d'), batcher.put('e')];
  await turn();
  expect(calls).toHaveLength(2);
  await expect.poll(() => calls).toEqual([['a'], ['b', 'c'], ['d', 'e']]);
  gates[2]?.resolve();
  expect(await Promise.all(third)).toEqual(['d', 'e']);
  gates[1]?.resolve();
  expect(await Promise.all(second)).toEqual(['b', 'c']);
  const last = batcher.put('f');
  await turn();
  gates[3]?.resolve();
  expect(await last).toBe('f');
});

test('with a minimum interval an item after a pause is sent immediately, and items of a stream share calls', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const calls: { readonly atMs: number; readonly items: readonly number[] }[] = [];
  const batcher = createBatcher(
    async (items: readonly number[]) => {
      calls.push({ atMs: performance.now(), items });
      return items;
    },
    { sizeMax: 10, callsMax: 2, spacingMs: 40 },
  );
  const putAtMs = performance.now();
  const items: Promise<number>[] = [];
  for (let item = 0; item < 8; item += 1) {
    items.push(batcher.put(item));
    await vi.advanceTimersByTimeAsync(2);
  }
  await vi.advanceTimersByTimeAsync(40);
  expect(await Promise.all(items)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(calls.map((call) => call.items)).toEqual([[0], [1, 2, 3, 4, 5, 6, 7]]);
  expect(calls.map(({ atMs }) => atMs - putAtMs)).toEqual([0, 40]);
  await vi.advanceTimersByTimeAsync(45);
  const againAtMs = performance.now();
  expect(await batcher.put(8)).toBe(8);
  expect(calls[2]?.atMs).toBe(againAtMs);
});

test('a call that fails rejects only its own items', async () => {
  const batcher = createBatcher(
    async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('refused');
      return items;
    },
    { sizeMax: 1 },
  );
  const [bad, good] = await Promise.allSettled([batcher.put('bad'), batcher.put('good')]);
  expect([bad?.status, good?.status]).toEqual(['rejected', 'fulfilled']);
  expect(await batcher.put('again')).toBe('again');
});

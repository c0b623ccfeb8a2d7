import { expect, test } from 'vitest';
import { together } from './together.ts';

test('ids requested at the same moment share one request, and each caller gets its own result', async () => {
  const requests: (readonly number[])[] = [];
  const readOne = together(async (ids) => {
    requests.push(ids);
    return new Map(ids.filter((id) => id !== 3).map((id) => [id, `no ${id}`]));
  }, 'nothing');
  expect(await Promise.all([readOne(1), readOne(2), readOne(1), readOne(3)])).toEqual([
    'no 1',
    'no 2',
    'no 1',
    'nothing',
  ]);
  expect(await readOne(4)).toBe('no 4');
  expect(requests).toEqual([[1, 2, 3], [4]]);
});

test('ids above the limit of a request go into several requests, and a failure affects only its own callers', async () => {
  const readOne = together<number>(async (ids) => {
    if (ids.includes(201)) throw new Error('away');
    return new Map(ids.map((id) => [id, id]));
  }, 0);
  const all = await Promise.allSettled(Array.from({ length: 201 }, (_, at) => readOne(at + 1)));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(200);
  expect(all.at(-1)).toMatchObject({ status: 'rejected' });
});

import { expect, test } from 'vitest';
import { type FailedAttempt, whileDatabaseAway } from './while-away.ts';

const away = (): Error => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const failing = (...errors: readonly Error[]) => {
  const remaining = [...errors];
  return async (): Promise<string> => {
    const error = remaining.shift();
    if (error) throw error;
    return 'done';
  };
};

test('work is repeated while the database is unavailable, and each attempt is reported with a growing wait', async () => {
  const failed: FailedAttempt[] = [];
  const onWait = (one: FailedAttempt) => void failed.push(one);
  const terminated = Object.assign(new Error('terminating connection'), { code: '57P01' });
  expect(await whileDatabaseAway(failing(away(), terminated, away()), { onWait, firstWaitMs: 1 })).toBe(
    'done',
  );
  expect(failed.map(({ attempt, retryInMs }) => [attempt, retryInMs])).toEqual([
    [1, 1],
    [2, 2],
    [3, 4],
  ]);
});

test.each([
  ['a wrong password', '28P01'],
  ['a missing database', '3D000'],
  ['a missing privilege', '42501'],
])('work is not repeated after %s', async (_what, code) => {
  const error = Object.assign(new Error('refused'), { code });
  const onWait = () => {
    throw new Error('It waited.');
  };
  await expect(whileDatabaseAway(failing(error), { onWait })).rejects.toBe(error);
});

test('the last error is thrown when the time is over', async () => {
  let waits = 0;
  const onWait = () => {
    waits += 1;
  };
  const last = away();
  await expect(
    whileDatabaseAway(failing(away(), away(), last, away()), { onWait, firstWaitMs: 1, forMs: 4 }),
  ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(waits).toBeLessThanOrEqual(2);
});

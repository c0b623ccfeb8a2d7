import { expect, test } from 'vitest';
import { nextSteps } from './next-steps.ts';
import { presentTest } from './present.ts';

const codes = Object.keys(nextSteps) as (keyof typeof nextSteps)[];

test.each(codes)('a connection test that fails with %s states the next step in one sentence', (code) => {
  const error = { code, message: 'It failed.' } as Extract<
    Parameters<typeof presentTest>[0],
    { isOk: false }
  >['error'];
  const { next, remedy } = presentTest({ isOk: false, error }, 'create role svc_reader;');
  expect(next).toMatch(/^[A-Z].{10,}\.$/);
  expect(remedy !== null).toBe(next?.includes('the SQL below'));
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerKinds } from './index.ts';
import { type AccessServices, startAccessServices, titledRows, wrongAnswers } from './row-check.ts';

let services: AccessServices;

beforeAll(async () => {
  services = await startAccessServices();
});
afterAll(() => services.close());

describe('every kind of caller gets the expected status', () => {
  test.each(titledRows)('%s', async (_title, row) => {
    expect(await wrongAnswers(row, callerKinds, services)).toEqual([]);
  });
});

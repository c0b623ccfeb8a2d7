import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passingTricks, refusingRows, startTrickTarget, type TrickTarget } from './path-tricks.ts';

let target: TrickTarget;

beforeAll(async () => {
  target = await startTrickTarget();
});
afterAll(() => target.fixture.close());

describe('unusual spellings of paths and methods do not bypass access rules', () => {
  test.each(refusingRows)('%s', async (_title, row) => {
    expect(await passingTricks(row, target)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passingTricks, refusingRows, startTrickTarget, type TrickTarget } from './path-tricks.ts';

let target: TrickTarget;

beforeAll(async () => {
  target = await startTrickTarget();
});
afterAll(() => target.fixture.close());

describe('no way to write a path or a method changes who may call', () => {
  test.each(refusingRows)('%s', async (_title, row) => {
    expect(await passingTricks(row, target)).toEqual([]);
  });
});

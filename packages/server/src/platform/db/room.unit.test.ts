import { expect, test } from 'vitest';
import { createRoom } from './room.ts';

test('the disk counts as full for ten seconds after the last refusal', () => {
  let now = 0;
  const room = createRoom(() => now);
  expect(room.isFull()).toBe(false);
  room.noteFull();
  now = 9_999;
  expect(room.isFull()).toBe(true);
  room.noteFull();
  now = 19_998;
  expect(room.isFull()).toBe(true);
  now = 19_999;
  expect(room.isFull()).toBe(false);
});

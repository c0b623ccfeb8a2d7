import { expect, test } from 'vitest';
import { createPosition, parsePosition } from './position.ts';

test('a replica has no known time before it reaches a position seen on the primary', () => {
  const position = createPosition();
  expect(position.isAsOf()).toBeUndefined();
  position.noteWritten(1_000, 50n);
  position.noteReplayed(49n);
  expect(position.isAsOf()).toBeUndefined();
  position.noteReplayed(50n);
  expect(position.isAsOf()).toBe(1_000);
});

test('the time of a replica is the latest moment that it has reached, and never decreases', () => {
  const position = createPosition();
  for (const at of [1, 2, 3]) position.noteWritten(at * 1_000, BigInt(at * 100));
  position.noteReplayed(250n);
  expect(position.isAsOf()).toBe(2_000);
  position.noteReplayed(120n);
  expect(position.isAsOf()).toBe(2_000);
});

test('a replica is up to date at each check while nothing is written', () => {
  const position = createPosition();
  for (const at of [1, 2, 3]) {
    position.noteWritten(at * 1_000, 100n);
    position.noteReplayed(100n);
    expect(position.isAsOf()).toBe(at * 1_000);
  }
});

test('a replica that is far behind is never reported as up to date', () => {
  const position = createPosition();
  for (let at = 1; at <= 100; at += 1) {
    position.noteWritten(at, BigInt(at * 100));
    position.noteReplayed(150n);
  }
  expect(position.isAsOf()).toBe(1);
});

test('positions of the log are compared as numbers', () => {
  expect(parsePosition('0/0')).toBe(0n);
  expect(parsePosition('16/B374D848')).toBe(0x16b374d848n);
  expect(parsePosition('1/0') > parsePosition('0/FFFFFFFF')).toBe(true);
});

import { expect, test } from 'vitest';
import { findDoubleClockReads } from './clock-reads.ts';

const linesOf = (text: string) => findDoubleClockReads(text).map(({ line }) => line);

test('two reads of the clock in one statement are reported with the line', () => {
  expect(linesOf('const a = 1;\nconst range = { from: Date.now() - 1, to: Date.now() };')).toEqual([2]);
  expect(linesOf('const range = [new Date(Date.now() - 1), new Date()];')).toEqual([1]);
  expect(linesOf('const f = () => [Date.now(), new Date()];')).toEqual([1]);
});

test('a function of the file that reads the clock counts as a read at each of its calls', () => {
  expect(linesOf('const at = (ms: number) => new Date(Date.now() + ms);\nask(at(-1), at(0));')).toEqual([2]);
  expect(
    linesOf('const at = (ms: number) => Date.now() + ms;\nfor (const x of [at(0), at(1)]) use(x);'),
  ).toEqual([2]);
});

test('one read per statement, passed times and separate functions are accepted', () => {
  expect(linesOf('const now = Date.now();\nconst range = { from: now - 1, to: now };')).toEqual([]);
  expect(linesOf('const from = Date.now();\nconst to = Date.now();')).toEqual([]);
  expect(
    linesOf('test("a", () => { const a = Date.now(); use(a); });\nuse(new Date(0), new Date(1));'),
  ).toEqual([]);
  expect(linesOf('run(() => Date.now(), () => Date.now());')).toEqual([]);
});

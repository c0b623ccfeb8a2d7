import { expect, test } from 'vitest';
import { findSizeFaults, foldersOf, lowerSizes, sizeFaults, unitsOf } from './limits.ts';

const none = { functions: {}, factories: {}, files: {}, folders: {} };
const lines = (count: number): string => '  act();\n'.repeat(count);
const overLimit = (text: string) =>
  unitsOf('planted.ts', text)
    .filter(({ kind, size }) => size > { functions: 70, factories: 120, files: 350, folders: 15 }[kind])
    .map(({ kind, place, size }) => `${kind} ${place} ${size}`);

test.each([
  ['a function of 71 lines', `function long() {\n${lines(69)}}\n`, ['functions planted.ts#long 71']],
  [
    'an arrow function of 71 lines',
    `const long = () => {\n${lines(69)}};\n`,
    ['functions planted.ts#long 71'],
  ],
  [
    'a method of 71 lines',
    `class Thing {\n  long() {\n${lines(69)}  }\n}\n`,
    ['functions planted.ts#long 71'],
  ],
  ['a test of 71 lines', `it('acts', () => {\n${lines(69)}});\n`, ['functions planted.ts#acts 71']],
  [
    'a factory of 121 lines',
    `function create() {\n  const start = () => {};\n${lines(117)}  return { start };\n}\n`,
    ['factories planted.ts#create 121'],
  ],
  ['a file of 351 lines', '// A line.\n'.repeat(351), ['files planted.ts 351']],
])('%s is reported', (_, text, expected) => {
  expect(overLimit(text)).toEqual(expected);
});

test.each([
  ['a function of 70 lines', `function fine() {\n${lines(68)}}\n`],
  [
    'a factory of 120 lines',
    `function create() {\n  const start = () => {};\n${lines(116)}  return { start };\n}\n`,
  ],
  ['the body of a suite', `describe('things', () => {\n${lines(200)}});\n`],
  ['a file of 350 lines', '// A line.\n'.repeat(350)],
])('%s is accepted', (_, text) => {
  expect(overLimit(text)).toEqual([]);
});

test('a function that returns an object without inner functions is no factory', () => {
  const text = `function build() {\n${lines(100)}  return { rows: [], count: 0 };\n}\n`;
  expect(overLimit(text)).toEqual(['functions planted.ts#build 103']);
});

test('only production files count in a folder', () => {
  const files = [
    'a/one.ts',
    'a/one.test.ts',
    'a/two.spec.ts',
    'a/testing.ts',
    'a/testing/three.ts',
    'b/four.tsx',
  ];
  expect(foldersOf(files)).toEqual([
    { kind: 'folders', place: 'a', size: 1 },
    { kind: 'folders', place: 'b', size: 1 },
  ]);
});

test('the declarations of the contract have no limit of lines', () => {
  const file = 'packages/contract/src/endpoints/things.ts';
  expect(unitsOf(file, '// A line.\n'.repeat(400))).toEqual([]);
});

test('an exception allows its size and no more', () => {
  const sizes = { ...none, functions: { 'a.ts#long': 90 } };
  expect(sizeFaults(sizes, sizes)).toEqual([]);
  expect(sizeFaults(sizes, { ...none, functions: { 'a.ts#long': 80 } })).toEqual([
    'a.ts#long: 90 lines, the limit of functions is 70; its exception allows 80',
  ]);
  expect(sizeFaults(sizes, none)).toEqual(['a.ts#long: 90 lines, the limit of functions is 70']);
});

test('the list of exceptions gets no new entry and no higher size', () => {
  const sizes = { ...none, functions: { 'a.ts#long': 90, 'b.ts#other': 75, 'c.ts#fresh': 80 } };
  const allowed = { ...none, functions: { 'a.ts#long': 80, 'b.ts#other': 100, 'd.ts#gone': 90 } };
  expect(lowerSizes(sizes, allowed).functions).toEqual({ 'a.ts#long': 80, 'b.ts#other': 75 });
});

test('the repository follows its limits', () => {
  expect(findSizeFaults(process.cwd())).toEqual([]);
}, 60_000);

import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { BenchResult, Figure } from '../../bench/run/result.ts';
import { parseResult } from '../../bench/run/result.ts';
import { benchPage, readResults } from './bench-page.ts';

const benchFolder = path.join(import.meta.dirname, '../../bench');
const linesMax = 60;

const figure: Figure = {
  title: 'by key',
  unit: 'requests/s',
  against: 'floor',
  values: [],
  floorValues: [],
  ratios: [0.97, 0.92],
  target: { ratioMin: 0.95 },
  pairs: 10,
};
const result: BenchResult = {
  name: 'list',
  purpose: 'a list',
  commit: 'abc1234',
  date: '2026-01-31',
  machine: '2 cores',
  figures: [figure],
};

test('the benchmark page has at most 60 lines', () => {
  expect(benchPage(readResults()).split('\n').length).toBeLessThanOrEqual(linesMax);
});

test('every benchmark has a recorded result, and every result a benchmark', () => {
  const names = globSync('*/index.ts', { cwd: benchFolder }).map((file) => path.dirname(file));
  expect(readResults().map(({ name }) => name)).toEqual(names.sort());
});

test('a target that one of the runs missed is shown as not reached', () => {
  expect(benchPage([result])).toContain(
    'by key, requests/s: **0.92 to 0.97** of floor, 10 pairs, target ≥ 0.95 NOT REACHED',
  );
  const bound = { ...figure, ratios: [], values: [49], unit: 'MB', against: null, target: { valueMax: 150 } };
  expect(benchPage([{ ...result, figures: [bound] }])).toContain(
    'by key: **49** MB, 10 pairs, target ≤ 150 |',
  );
});

test('a result in another form is refused with the name of the faulty member', () => {
  expect(parseResult('list.json', JSON.stringify(result))).toEqual(result);
  const parse = (change: object) => () => parseResult('list.json', JSON.stringify({ ...result, ...change }));
  expect(parse({ commit: '' })).toThrow('list.json is not in the form of a result: commit.');
  expect(parse({ date: 'yesterday' })).toThrow('date');
  expect(parse({ figures: [] })).toThrow('figures');
  expect(parse({ figures: [{ ...figure, ratios: [], values: [] }] })).toThrow('the figure "by key"');
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { findCoverageFaults } from './coverage/check.ts';
import { scanScenarios } from './coverage/citations.ts';
import { knownGaps } from './known-gaps.ts';
import { requirements, sources } from './requirements/index.ts';

const { citations, faults } = scanScenarios(path.join(import.meta.dirname, 'scenarios'));

test('every scenario cites its requirement ids as string literals', () => {
  expect(faults).toEqual([]);
});

test('every requirement is verified by a scenario or listed as a known gap, and no other gap is listed', () => {
  expect(findCoverageFaults({ requirements, sources, citations, gaps: knownGaps })).toEqual([]);
});

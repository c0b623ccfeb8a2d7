import path from 'node:path';
import { expect, test } from 'vitest';
import { findCoverageFaults } from './coverage/check.ts';
import { scanScenarios } from './coverage/citations.ts';
import { knownGaps } from './known-gaps.ts';
import { requirements, sources } from './requirements/index.ts';

const { citations, faults } = scanScenarios(path.join(import.meta.dirname, 'scenarios'));

test('every scenario cites requirement ids that can be read without running it', () => {
  expect(faults).toEqual([]);
});

test('every requirement is verified by a scenario or is a known gap, and nothing else is listed', () => {
  expect(findCoverageFaults({ requirements, sources, citations, gaps: knownGaps })).toEqual([]);
});

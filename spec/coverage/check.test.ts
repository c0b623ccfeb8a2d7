import { describe, expect, test } from 'vitest';
import type { RequirementEntry, SourceDocument } from '../requirements/index.ts';
import { type CoverageInput, findCoverageFaults } from './check.ts';

const entry = (id: RequirementEntry['id'], section = '1'): RequirementEntry => ({
  id,
  section,
  text: 'It does.',
});
const gap = (id: string, note = 'It is missing.') => ({ id, note });
const source = (rows: number, reason?: string): SourceDocument => ({
  prefix: 'ID',
  title: 'Identity',
  sections: [{ section: '1', title: 'One', rows, sentences: 0, ...(reason ? { reason } : {}) }],
});
const sound: CoverageInput = {
  requirements: [entry('ID-1-01'), entry('ID-1-02')],
  sources: [source(2)],
  citations: [{ id: 'ID-1-01', file: 'a.spec.ts', line: 3 }],
  gaps: { later: [gap('ID-1-02')] },
};
const faultsOf = (change: Partial<CoverageInput>) => findCoverageFaults({ ...sound, ...change });

describe('coverage check', () => {
  test('passes if every requirement is cited or a known gap', () => {
    expect(faultsOf({})).toEqual([]);
  });

  test('reports a requirement that is neither cited nor a known gap', () => {
    expect(faultsOf({ gaps: {} })).toEqual(['ID-1-02: no scenario cites it, and it is no known gap.']);
  });

  test('reports a cited id that is not a requirement', () => {
    const citations = [...sound.citations, { id: 'ID-9-09', file: 'a.spec.ts', line: 7 }];
    expect(faultsOf({ citations })).toEqual([
      'ID-9-09: cited in a.spec.ts:7, but no requirement has this id.',
    ]);
  });

  test('reports a known gap that is not a requirement', () => {
    expect(faultsOf({ gaps: { later: [gap('ID-1-02'), gap('ID-1-03')] } })).toEqual([
      'ID-1-03: a known gap, but no requirement has this id.',
    ]);
  });

  test('reports a known gap that a scenario cites', () => {
    expect(faultsOf({ gaps: { later: [gap('ID-1-01'), gap('ID-1-02')] } })).toEqual([
      'ID-1-01: cited in a.spec.ts:3 and still listed as a known gap; take it off the list.',
    ]);
  });

  test('reports a known gap that is listed under two subjects', () => {
    expect(faultsOf({ gaps: { later: [gap('ID-1-02')], other: [gap('ID-1-02')] } })).toEqual([
      'ID-1-02: listed twice among the known gaps.',
    ]);
  });

  test('reports a gap whose note is not a sentence', () => {
    expect(faultsOf({ gaps: { later: [gap('ID-1-02', 'later')] } })).toEqual([
      'ID-1-02: its note does not say in a sentence what is missing.',
    ]);
  });

  test('reports an id of two requirements', () => {
    const requirements = [...sound.requirements, entry('ID-1-02')];
    expect(faultsOf({ requirements })).toEqual(['ID-1-02: two requirements have this id.']);
  });

  test('reports an id outside its section, and a section that the source does not contain', () => {
    const requirements = [...sound.requirements, entry('ID-1-03', '2')];
    expect(faultsOf({ requirements, gaps: { later: [gap('ID-1-02'), gap('ID-1-03')] } })).toEqual([
      'ID-1-03: the id does not belong to section 2.',
      'ID-2: requirements name this section, but the source has none.',
    ]);
  });

  test('reports a section with fewer requirements than rows and sentences, unless it states a reason', () => {
    expect(faultsOf({ sources: [source(3)] })).toEqual([
      'ID-1: fewer requirements than rows and sentences, without a reason.',
    ]);
    expect(faultsOf({ sources: [source(3, 'One row is empty.')] })).toEqual([]);
  });

  test('reports a reason for missing requirements if none are missing', () => {
    expect(faultsOf({ sources: [source(2, 'One row is empty.')] })).toEqual([
      'ID-1: has a reason for missing requirements, but none are missing.',
    ]);
  });
});

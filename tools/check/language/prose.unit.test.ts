import { describe, expect, it } from 'vitest';
import { countHits, hitsOf, lowerHits, passagesOf } from './prose.ts';
import { proseRules } from './prose-rules.ts';

const hits = (file: string, text: string): string[] => passagesOf(file, text).flatMap(hitsOf);

describe('a passage of unclear language', () => {
  it.each([
    ['docstring-start', '/** What is left of it. */'],
    ['told', '// The owner is told.'],
    ['tell', '// It tells the owner.'],
    ['untold', '// Messages that are untold.'],
    ['hear-of', '// The owner hears of it.'],
    ['whoever', '// For whoever may read.'],
    ['somebody', '// Somebody must see it.'],
    ['nobody', '// Nobody reads it.'],
    ['anybody', '// Anybody may read it.'],
    ['such-a-one', '// Such a one is refused.'],
    ['of-ours', '// A file of ours.'],
    ['stands', '// It stands below.'],
    ['stands-for', '// It stands for all rows.'],
    ['goes-on', '// The run goes on.'],
    ['goes-out', '// The message goes out.'],
    ['comes-of', '// What comes of it.'],
    ['comes-back', '// The worker comes back.'],
    ['taken-up', '// The job is taken up.'],
    ['looks-at', '// It looks at rows.'],
    ['look-noun', '// After a look.'],
    ['at-once', '// It ends at once.'],
    ['so-long', '// For so long it waits.'],
    ['is-away', '// The server is away.'],
    ['is-there', '// If the file is there.'],
    ['holds', '// It holds rows.'],
    ['kept', '// The row is kept.'],
    ['asked', '// The server is asked.'],
    ['what-is', '// It sends what is stored.'],
    ['those-who', '// For those who read.'],
    ['by-itself', '// It ends by itself.'],
    ['as-it-is', '// It stays as it is.'],
  ])('breaks the rule %s', (rule, code) => {
    expect(hits('a.ts', code)).toContain(rule);
  });

  it('has an example for every rule', () => {
    expect(proseRules.length).toBe(31);
  });

  it('is found in documents and in titles of tests, and not in code', () => {
    expect(hits('a.md', 'The owner is\ntold.\n\n```\nis told\n```\n\n`is told`')).toEqual(['told']);
    expect(hits('a.ts', "it('tells the owner', () => { const told = 'is told'; });")).toEqual(['tell']);
    expect(hits('a.ts', "it.each([1])('tells %s', () => {});")).toEqual(['tell']);
    expect(hits('a.ts', "scenario(['RT-1'], 'nobody reads it', run);")).toEqual(['nobody']);
  });

  it('has more than 30 words in a sentence', () => {
    const words = (count: number) => `// ${'word '.repeat(count).trim()}.`;
    expect([hits('a.ts', words(30)), hits('a.ts', words(31))]).toEqual([[], ['long-sentence']]);
  });
});

describe('plain language', () => {
  it.each([
    '/** Returns the rows. */',
    '/** Result limits. */',
    '// Is there a row?',
    '/** @throws what is stored */',
  ])('has no hit: %s', (code) => {
    expect(hits('a.ts', code)).toEqual([]);
  });
});

it('the list of remaining hits only shrinks', () => {
  const counted = countHits(new Map([['packages/a/src/b.ts', '// It is told.\n\n// It is told.']]));
  expect(counted).toEqual({ 'packages/a': { told: 2 } });
  expect(lowerHits(counted, { 'packages/a': { told: 5 } })).toEqual({ 'packages/a': { told: 2 } });
  expect(lowerHits(counted, { 'packages/a': { told: 1 } })).toEqual({ 'packages/a': { told: 1 } });
  expect(lowerHits(counted, {})).toEqual({});
});

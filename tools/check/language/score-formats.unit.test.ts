import { describe, expect, it } from 'vitest';
import { scoreFaultsOf } from './score-formats.ts';

describe('a score that is written without its formatter', () => {
  it.each([
    ['a rounded number', 'const a = Math.round(last.lastScore);'],
    ['a rounded percentage', 'const a = Math.round(run.accuracy * 100);'],
    ['a number with decimals', 'const a = score.toFixed(1);'],
    ['a number format', 'const a = percent.format(entry.successRate);'],
    ['a template', `const a = \`fails below \${failScore}\`;`],
    ['text between tags', '<p>below {record.failScore}.</p>'],
  ])('is reported in %s', (_where, code) => {
    expect(scoreFaultsOf('page.tsx', code)).toHaveLength(1);
  });

  it.each([
    ['the formatter', `const a = \`score \${scoreText(last.lastScore)}\`;`],
    ['a property of a component', '<Score value={row.score} />'],
    ['a number of another kind', 'const a = Math.round(share * 100);'],
    ['a longer name', 'const a = Math.round(scores.length);'],
  ])('is not reported in %s', (_where, code) => {
    expect(scoreFaultsOf('page.tsx', code)).toEqual([]);
  });
});

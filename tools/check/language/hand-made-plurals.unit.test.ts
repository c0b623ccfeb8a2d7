import { describe, expect, it } from 'vitest';
import { pluralFaultsOf } from './hand-made-plurals.ts';

const faults = (code: string): number => pluralFaultsOf('page.tsx', code).length;

describe('a number that is joined to a noun by hand', () => {
  it.each([
    ['a template', `const a = \`\${n} rows\`;`],
    ['the middle of a template', `const a = \`Found \${found.length} rules of \${name}.\`;`],
    ['a number with separators', `const a = \`\${count(n)} queries\`;`],
    ['runs that are counted', `const a = \`\${n} runs in a row\`;`],
    ['text between tags', '<p>{n} rows</p>'],
    ['text on the next line', '<p>\n  {count(n)}\n  recipients are notified\n</p>'],
    ['one branch of a condition', `const a = n === 1 ? '1 row' : \`\${n} rows\`;`],
  ])('is reported in %s', (_where, code) => {
    expect(faults(code)).toBe(1);
  });

  it.each([
    ['the formatter', `const a = \`Found \${plural(n, 'row')}.\`;`],
    ['a verb', `const a = \`Until then version \${n} runs.\`;`],
    ['a name before a verb', `const a = \`\${query.name} runs now\`;`],
    ['an interval of SQL', `const a = \`now() - interval '\${n} seconds'\`;`],
    ['another word', `const a = \`\${name} is late\`;`],
  ])('is not reported in %s', (_where, code) => {
    expect(pluralFaultsOf('page.tsx', code)).toEqual([]);
  });

  it('is reported with its place and the remedy', () => {
    expect(pluralFaultsOf('page.tsx', `\nconst a = \`\${n} rows\`;`)).toEqual([
      'page.tsx:2: "n rows"; say plural(n, …).',
    ]);
  });
});

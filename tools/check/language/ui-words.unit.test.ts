import { describe, expect, it } from 'vitest';
import { faultsOf } from './ui-words.ts';

const words = (code: string): number => faultsOf('page.tsx', code).length;

describe('words of the pages', () => {
  it.each([
    ['text between tags', '<p>Nobody is told of it.</p>'],
    ['text over two lines', '<p>It runs all\n      the same.</p>'],
    ['an attribute', '<X label="Acts on the row" />'],
    ['a literal', "const a = { label: 'Mend what is marked' };"],
    ['a template', `const a = \`Acts on \${name}\`;`],
    ['its end', `const a = \`\${name} was made\`;`],
  ])('are reported in %s', (_where, code) => {
    expect(words(code)).toBe(1);
  });

  it.each([
    ['names of things in the code', "const told = 1; call('told'); type A = 'Told here';"],
    ['comments', '// Nobody is told.\nconst a = 1;'],
    ['other words that hold them', '<p>Recommended actions</p>'],
  ])('are not reported in %s', (_where, code) => {
    expect(faultsOf('page.tsx', code)).toEqual([]);
  });

  it('are reported with the place and the replacement', () => {
    expect(faultsOf('page.tsx', '\n<p>Read anew</p>')).toEqual([
      'page.tsx:2: "anew" in "Read anew"; say again, or refresh.',
    ]);
  });
});

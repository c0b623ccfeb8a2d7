import type { Tokens } from './tokens.ts';

const begins = new Set(['select', 'with']);
const divides = new Set(['union', 'intersect', 'except']);

/** Returns the number of each token's query block. A nested SELECT is a separate block. */
export function blocksOf({ all, is }: Tokens): readonly number[] {
  let last = 0;
  const open = [0];
  return all.map(({ kind, lower }, index) => {
    if (kind === 'word' && divides.has(lower)) {
      last += 1;
      open.splice(-1, 1, last);
    }
    const block = open.at(-1) ?? 0;
    if (is(index, '(')) {
      const isNested = begins.has(all[index + 1]?.lower ?? '');
      if (isNested) last += 1;
      open.push(isNested ? last : block);
    } else if (is(index, ')') && open.length > 1) open.pop();
    return block;
  });
}

import type { BenchTable } from './cases.ts';

const wholeWord = 4;
const inName = 2;
const inDescription = 1;

/**
 * Search without index, stemming or word frequency, for comparison. Each word scores for a match with a whole word of
 * the name, within the last part of the name, and within the comment.
 */
export function findBySubstrings(
  tables: readonly BenchTable[],
  question: string,
): readonly { readonly name: string }[] {
  const words = [...new Set(question.toLowerCase().split(separators).filter(Boolean))];
  return tables
    .flatMap(({ name, columns }) => [
      { name, comment: '' },
      ...columns.map((column) => ({ name: `${name}.${column.name}`, comment: column.comment ?? '' })),
    ])
    .map((hit) => ({ name: hit.name, score: scoreOf(hit, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1));
}

const separators = /[^\p{L}\p{N}]+/u;

function scoreOf({ name, comment }: { name: string; comment: string }, words: readonly string[]): number {
  const lower = name.toLowerCase();
  const own = lower.slice(lower.lastIndexOf('.') + 1);
  const parts = new Set(lower.split(separators));
  const text = comment.toLowerCase();
  let score = words.join('') === own.replaceAll(/[^\p{L}\p{N}]+/gu, '') ? 8 : 0;
  for (const word of words) {
    if (parts.has(word)) score += wholeWord;
    else if (own.includes(word)) score += inName;
    if (text.includes(word)) score += inDescription;
  }
  return score;
}

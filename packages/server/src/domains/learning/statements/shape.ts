import type { ReadStatement, Word } from './read-statement.ts';
import { functions } from './sql-words.ts';

const shapeLengthMax = 2_000;
const list = /\(\?(, \?)+\)/g;

/**
 * Returns a statement without its values: values become `?`, and names outside the schema become numbers. Statements
 * that differ only in values, aliases, spacing or case have the same shape. Null for a long statement.
 */
export function shapeOf({ words }: Pick<ReadStatement, 'words'>): string | null {
  const text = renderWords(words);
  return text === '' || text.length > shapeLengthMax ? null : text;
}

/** Formats words of a statement with names of the schema only. */
export function renderWords(words: readonly Word[]): string {
  const numbers = new Map<string, string>();
  const numbered = (text: string): string => {
    const key = text.toLowerCase();
    const placeholder = numbers.get(key) ?? `n${numbers.size + 1}`;
    numbers.set(key, placeholder);
    return placeholder;
  };
  const texts = words.map(({ text, meaning }) => {
    if (meaning.kind === 'Value') return '?';
    if (meaning.kind === 'Symbol') return text;
    if (meaning.kind === 'Keyword') return text.toLowerCase();
    if (meaning.kind === 'Column') return meaning.name;
    if (meaning.kind === 'Table' && meaning.name !== '') return meaning.name;
    if (meaning.kind === 'Function' && functions.has(text.toLowerCase())) return text.toLowerCase();
    return meaning.kind === 'Table' ? '' : numbered(text);
  });
  return spaced(texts).replaceAll(list, '(?)');
}

const tightAround = new Set(['.', ':']);
const tightBefore = new Set([',', ')', ';']);

/** Joins words with one space, except where SQL is usually written without a space. */
function spaced(texts: readonly string[]): string {
  let line = '';
  let before = '';
  for (const text of texts) {
    if (text === '') continue;
    const isTight =
      line === '' ||
      before === '(' ||
      tightAround.has(text) ||
      tightAround.has(before) ||
      tightBefore.has(text) ||
      (text === '(' && functions.has(before));
    line += isTight ? text : ` ${text}`;
    before = text;
  }
  return line.replace(/;$/, '').trim();
}

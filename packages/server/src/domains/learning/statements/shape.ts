import type { ReadStatement, Word } from './read-statement.ts';
import { functions } from './sql-words.ts';

const shapeLengthMax = 2_000;
const list = /\(\?(, \?)+\)/g;

/**
 * A statement without what was typed into it: values are `?`, names that the schema does not have are numbered. Two
 * statements that differ in values, aliases, spacing or case have one shape. Null where it is long.
 */
export function shapeOf({ words }: Pick<ReadStatement, 'words'>): string | null {
  const text = renderWords(words);
  return text === '' || text.length > shapeLengthMax ? null : text;
}

/** Words of a statement, or of a part of it, by names of the schema alone. */
export function renderWords(words: readonly Word[]): string {
  const numbers = new Map<string, string>();
  const numbered = (text: string): string => {
    const key = text.toLowerCase();
    const known = numbers.get(key) ?? `n${numbers.size + 1}`;
    numbers.set(key, known);
    return known;
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

/** One space between words, none where nobody writes one. */
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

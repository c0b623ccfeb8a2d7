import type { ColumnName } from './read-statement.ts';
import type { Token, Tokens } from './tokens.ts';

/** A comparison of a column with a value: `status = 'paid'`, `status in ('paid', 'open')`. */
export type Comparison = {
  /** Index of the column among the tokens. */
  readonly index: number;
  readonly column: ColumnName;
  /** The value as text; null when the statement does not contain it, as for a parameter. */
  readonly value: string | null;
  /** Comparison by `=` or IN. */
  readonly isEqual: boolean;
};

type Operator = { readonly first: number; readonly isList: boolean; readonly isEqual: boolean };

/** Tokens before a separate comparison. After any other token, the column is part of an expression. */
const opens = new Set(['where', 'and', 'or', 'not', 'on', 'when', 'having', '(']);
/** Tokens that make a preceding value part of an expression. */
const goesOn = new Set(['|', '||', '+', '-', '*', '/', '%', '.', '(', 'collate']);
const values = new Set(['string', 'number', 'placeholder', 'marker']);

/** Returns the text of a literal; null when escapes or a prefix change its value. */
function literalOf({ kind, text }: Token): string | null {
  if (kind === 'number') return text;
  const quote = text[0];
  if (kind !== 'string' || (quote !== "'" && quote !== '"') || text.includes('\\')) return null;
  if (text.length < 2 || text.at(-1) !== quote) return null;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

/** Returns comparisons with values by `=`, `<>`, `!=` and IN. Omits uncertain comparisons. */
export function readComparisons(
  { all, is }: Tokens,
  columnAt: ReadonlyMap<number, ColumnName>,
): Comparison[] {
  /** Returns a value that is not part of an expression. */
  const valueAt = (index: number): { readonly text: string | null } | undefined => {
    const token = all[index];
    const next = all[index + 1];
    if (!token || !values.has(token.kind)) return undefined;
    if (next && (goesOn.has(next.lower) || values.has(next.kind))) return undefined;
    return { text: literalOf(token) };
  };

  /** Returns the position of the first value after a column, and whether a list follows. */
  const operatorAt = (index: number): Operator | undefined => {
    if (is(index, '=')) return { first: index + 1, isList: false, isEqual: true };
    if ((is(index, '<') && is(index + 1, '>')) || (is(index, '!') && is(index + 1, '=')))
      return { first: index + 2, isList: false, isEqual: false };
    if (is(index, '<>') || is(index, '!=')) return { first: index + 1, isList: false, isEqual: false };
    const isAt = is(index, 'not') ? index + 1 : index;
    return is(isAt, 'in') && is(isAt + 1, '(')
      ? { first: isAt + 2, isList: true, isEqual: isAt === index }
      : undefined;
  };

  /** Returns the compared values; empty when one of them is part of an expression. */
  const valuesOf = ({ first, isList }: Operator): (string | null)[] => {
    const texts: (string | null)[] = [];
    for (let at = first; ; at += 2) {
      const value = valueAt(at);
      if (!value) return [];
      texts.push(value.text);
      if (!isList || is(at + 1, ')')) return texts;
      if (!is(at + 1, ',')) return [];
    }
  };

  return [...columnAt].flatMap(([index, column]): Comparison[] => {
    const start = is(index - 1, '.') ? index - 2 : index;
    const operator = operatorAt(index + 1);
    if (!operator || (start > 0 && !opens.has(all[start - 1]?.lower ?? ''))) return [];
    return valuesOf(operator).map((value) => ({ index, column, value, isEqual: operator.isEqual }));
  });
}

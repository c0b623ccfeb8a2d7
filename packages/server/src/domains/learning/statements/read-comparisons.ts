import type { ColumnName } from './read-statement.ts';
import type { Token, Tokens } from './tokens.ts';

/** A column that is compared with a value: `status = 'paid'`, `status in ('paid', 'open')`. */
export type Comparison = {
  /** Where the column stands among the tokens. */
  readonly index: number;
  readonly column: ColumnName;
  /** The value as a text; null where it is none that the statement tells, such as a parameter. */
  readonly value: string | null;
  /** By `=` or IN. */
  readonly isEqual: boolean;
};

type Operator = { readonly first: number; readonly isList: boolean; readonly isEqual: boolean };

/** What may stand before a column that is compared by itself; after anything else it is a part of an expression. */
const opens = new Set(['where', 'and', 'or', 'not', 'on', 'when', 'having', '(']);
/** What makes an expression of a value that it stands behind. */
const goesOn = new Set(['|', '||', '+', '-', '*', '/', '%', '.', '(', 'collate']);
const values = new Set(['string', 'number', 'placeholder', 'marker']);

/** The text of a literal; null where escapes or a prefix make it another one. */
function literalOf({ kind, text }: Token): string | null {
  if (kind === 'number') return text;
  const quote = text[0];
  if (kind !== 'string' || (quote !== "'" && quote !== '"') || text.includes('\\')) return null;
  if (text.length < 2 || text.at(-1) !== quote) return null;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

/** Comparisons with values by `=`, `<>`, `!=` and IN. What is not surely one is left out. */
export function readComparisons(
  { all, is }: Tokens,
  columnAt: ReadonlyMap<number, ColumnName>,
): Comparison[] {
  /** A value that stands by itself. */
  const valueAt = (index: number): { readonly text: string | null } | undefined => {
    const token = all[index];
    const next = all[index + 1];
    if (!token || !values.has(token.kind)) return undefined;
    if (next && (goesOn.has(next.lower) || values.has(next.kind))) return undefined;
    return { text: literalOf(token) };
  };

  /** Where the values behind a column begin, and whether there are several. */
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

  /** What an operator compares with; nothing where a part of it is no value by itself. */
  const valuesOf = ({ first, isList }: Operator): (string | null)[] => {
    const found: (string | null)[] = [];
    for (let at = first; ; at += 2) {
      const value = valueAt(at);
      if (!value) return [];
      found.push(value.text);
      if (!isList || is(at + 1, ')')) return found;
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

import type { BoundType } from '@svc/connectors';

/** A bound of a rule in the form that is bound, with a number for comparison with bounds of the same type. */
export type Bound = { readonly type: BoundType; readonly value: string; readonly order: number };

const number = /^-?(\d+(\.\d+)?|\.\d+)$/;
const day = /^\d{4}-\d{2}-\d{2}$/;
const instant = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** Parses a bound: a number, a day, or a point in time (UTC by default). Undefined: it is none of these. */
export function boundOf(value: string | number): Bound | undefined {
  if (typeof value === 'number') return { type: 'Number', value: plain(value), order: value };
  const text = value.trim();
  if (number.test(text)) return { type: 'Number', value: text, order: Number(text) };
  const hasOffset = /(Z|[+-]\d{2}:\d{2})$/.test(text);
  const at = new Date(instant.test(text) && !hasOffset ? `${text.replace(' ', 'T')}Z` : text);
  if (!(day.test(text) || instant.test(text)) || Number.isNaN(at.getTime())) return undefined;
  if (day.test(text))
    // `Date` accepts 30 February as a day in March.
    return at.toISOString().startsWith(text) ? { type: 'Date', value: text, order: at.getTime() } : undefined;
  return { type: 'DateTime', value: at.toISOString(), order: at.getTime() };
}

/** Writes a number without an exponent: only a decimal text can be bound. */
const plain = (value: number): string => {
  if (!/e/i.test(String(value))) return String(value);
  return Math.abs(value) < 1 ? value.toFixed(20).replace(/\.?0+$/, '') : BigInt(value).toString();
};

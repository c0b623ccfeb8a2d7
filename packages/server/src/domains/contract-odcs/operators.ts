import { isList, type Json, type JsonObject } from './json.ts';

/** Comparison of a check: the condition for a number. */
export type Operator =
  | { readonly kind: '=' | '<>' | '>' | '>=' | '<' | '<='; readonly value: number }
  | { readonly kind: 'between' | 'not between'; readonly low: number; readonly high: number };

const kinds = {
  mustBe: '=',
  mustNotBe: '<>',
  mustBeGreaterThan: '>',
  mustBeGreaterOrEqualTo: '>=',
  mustBeLessThan: '<',
  mustBeLessOrEqualTo: '<=',
} as const;

const names = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [kind, name]));

/** Members of a check that specify its comparison. */
export const operatorNames = [...Object.keys(kinds), 'mustBeBetween', 'mustNotBeBetween'];

/** Returns the comparison of a check. Undefined if it has none, more than one, or one without a number. */
export function operatorOf(item: JsonObject): Operator | undefined {
  const given = operatorNames.filter((name) => item[name] !== undefined);
  const [name] = given;
  if (name === undefined || given.length > 1) return undefined;
  const value = item[name];
  if (name === 'mustBeBetween' || name === 'mustNotBeBetween') {
    if (!isList(value) || value.length !== 2) return undefined;
    const [low, high] = value;
    if (typeof low !== 'number' || typeof high !== 'number') return undefined;
    return { kind: name === 'mustBeBetween' ? 'between' : 'not between', low, high };
  }
  if (typeof value !== 'number') return undefined;
  return { kind: kinds[name as keyof typeof kinds], value };
}

/** Converts a comparison to members of a check. */
export function membersOf(operator: Operator): JsonObject {
  if ('value' in operator) return { [names[operator.kind] ?? 'mustBe']: operator.value };
  const range: Json = [operator.low, operator.high];
  return operator.kind === 'between' ? { mustBeBetween: range } : { mustNotBeBetween: range };
}

/** Returns the minimum and maximum number of rows that a comparison allows. Undefined if it is not such a range. */
export function rangeOf(operator: Operator): { minRows?: number; maxRows?: number } | undefined {
  if (!numbersOf(operator).every((number) => Number.isSafeInteger(number) && number >= 0)) return undefined;
  switch (operator.kind) {
    case '=':
      return { minRows: operator.value, maxRows: operator.value };
    case '>':
      return { minRows: operator.value + 1 };
    case '>=':
      return { minRows: operator.value };
    case '<':
      return operator.value === 0 ? undefined : { maxRows: operator.value - 1 };
    case '<=':
      return { maxRows: operator.value };
    case 'between':
      return { minRows: operator.low, maxRows: operator.high };
    default:
      return undefined;
  }
}

/** Returns the maximum number or percentage of failing rows that a comparison allows. Undefined if it is not such a bound. */
export function failAboveOf(operator: Operator, unit: 'Rows' | 'Percent'): number | undefined {
  if (!numbersOf(operator).every((number) => number >= 0)) return undefined;
  switch (operator.kind) {
    case '=':
      return operator.value === 0 ? 0 : undefined;
    case '<=':
      return operator.value;
    case '<':
      return unit === 'Rows' && operator.value > 0 ? Math.ceil(operator.value) - 1 : undefined;
    case 'between':
      return operator.low === 0 ? operator.high : undefined;
    default:
      return undefined;
  }
}

const numbersOf = (operator: Operator): readonly number[] =>
  'value' in operator ? [operator.value] : [operator.low, operator.high];

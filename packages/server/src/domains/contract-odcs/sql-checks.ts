import type { RuleConfig } from '@svc/contract';
import { failAboveOf, type Operator } from './operators.ts';

/*
 * A check of the standard is a query for one number with a comparison. A rule of custom SQL is a statement for the failing
 * rows, or for a verdict. Each form is wrapped into the other, so that the original can be recognised and unwrapped.
 */

const counted = /^select count\(\*\) from \(\n([\s\S]*)\n\) svc_rows$/;
const judged =
  /^select case when \(\n([\s\S]*)\n\) (=|<>|>=|<=|>|<) (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?) then 1 else 0 end as passed$/;

/** Converts a statement for failing rows to a query for their number. */
export const countOf = (sql: string): string => `select count(*) from (\n${sql}\n) svc_rows`;

/** Returns the check inside a verdict statement. Undefined if no check was wrapped in it. */
export function checkIn(sql: string): { query: string; operator: Operator } | undefined {
  const [, query, kind, value] = judged.exec(sql) ?? [];
  if (query === undefined || !isComparison(kind)) return undefined;
  return { query, operator: { kind, value: Number(value) } };
}

const comparisons = ['=', '<>', '>', '>=', '<', '<='] as const;
const isComparison = (kind: string | undefined): kind is (typeof comparisons)[number] =>
  comparisons.some((one) => one === kind);

/** Converts a check to a rule of custom SQL. */
export function ruleOfCheck(query: string, operator: Operator): { config: RuleConfig; failAbove?: number } {
  const failAbove = failAboveOf(operator, 'Rows');
  const [, rows] = counted.exec(query) ?? [];
  if (rows !== undefined && failAbove !== undefined)
    return { config: { kind: 'FailingRows', sql: rows }, failAbove };
  const asked = query.trim().replace(/;+\s*$/, '');
  const comparison =
    'value' in operator
      ? `${operator.kind} ${operator.value}`
      : `${operator.kind} ${operator.low} and ${operator.high}`;
  const sql = `select case when (\n${asked}\n) ${comparison} then 1 else 0 end as passed`;
  return { config: { kind: 'Verdict', sql } };
}

/** Returns true for a query with placeholders of other tools. */
export const hasPlaceholder = (query: string): boolean => /\$\{|\{\{|\{\w+\}/.test(query);

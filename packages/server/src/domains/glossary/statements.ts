import { readSqlTokens, type SqlDialect, tokenText } from '@svc/connectors';
import type { GlossaryTarget } from '@svc/contract';

type Statable = {
  readonly target: GlossaryTarget | null;
  readonly metricExpression: string | null;
};

/**
 * Returns statements that an engine can plan only for a valid term: one for its table or column, one for its metric.
 * They are never executed.
 */
export function statementsOf(
  { target, metricExpression }: Statable,
  { quote }: Pick<SqlDialect, 'quote'>,
): string[] {
  if (target === null) return [];
  const { schema, table, column } = target;
  const from = schema === '' ? quote(table) : `${quote(schema)}.${quote(table)}`;
  const looked = `select ${column === null ? 'count(*)' : quote(column)} from ${from}`;
  return metricExpression === null
    ? [looked]
    : [looked, `select (${metricExpression}) as ${quote('metric')} from ${from}`];
}

/**
 * Returns the reason why a text is not a single expression, such as unbalanced brackets or a comment. Null when
 * brackets and quotes are balanced; the engine checks the rest.
 */
export function expressionFault(expression: string, dialect: SqlDialect): string | null {
  let depth = 0;
  for (const token of readSqlTokens(expression, dialect)) {
    if (token.isUnterminated) return 'ends within a quote or a comment';
    if (token.kind === 'comment' || token.kind === 'executable-comment') return 'may hold no comment';
    if (token.kind === 'placeholder') return 'may hold no placeholder';
    if (token.kind !== 'symbol') continue;
    const text = tokenText(expression, token);
    if (text === ';' || (text === ',' && depth === 0)) return 'is more than one expression';
    depth += depthOf[text] ?? 0;
    if (depth < 0) return 'closes a bracket that it does not open';
  }
  return depth === 0 ? null : 'opens a bracket that it does not close';
}

const depthOf: Readonly<Record<string, number>> = { '(': 1, ')': -1 };

/** Removes the position from an error message, because it refers to the generated statement around the expression. */
export const withoutPlace = (message: string): string => message.replace(/ \(line \d+, column \d+\)/, '');

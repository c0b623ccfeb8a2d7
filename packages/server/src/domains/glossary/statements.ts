import { readSqlTokens, type SqlDialect, tokenText } from '@svc/connectors';
import type { GlossaryTarget } from '@svc/contract';

type Statable = {
  readonly target: GlossaryTarget | null;
  readonly metricExpression: string | null;
};

/**
 * Statements that an engine plans where the term is sound: one for the table or column that it stands for, one for its
 * metric. None of them is ever run.
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
 * Why a text is not one expression: it could leave the brackets that it stands in, or hide what comes behind it. Null
 * where it is one by its brackets and quotes; the engine says the rest.
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

/** What was refused, without its place: that is one in the statement around the expression, which nobody wrote. */
export const withoutPlace = (message: string): string => message.replace(/ \(line \d+, column \d+\)/, '');

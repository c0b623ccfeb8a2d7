import type { SchemaRelation, StatementReads } from '../../embedded/messages.ts';
import { ConnectorError } from '../../error.ts';
import { isMemberPath, memberWords } from '../../lineage/members.ts';
import type { ColumnSources, LineageExpression, SourceName } from '../../lineage/query.ts';
import { withSources } from '../../lineage/sources.ts';
import { sqliteDialect } from '../../sql/dialects.ts';
import { readSqlTokens, type SqlToken, tokenText } from '../../sql/lexer.ts';
import type { Column } from '../../values.ts';
import { parsedSources } from './parsed.ts';

/**
 * Adds the sources of each column. The tree of PostgreSQL's parser decides if it names the same reads as SQLite's
 * authorizer. Otherwise a plain column has its origin, and an expression may contain any value that the statement
 * reads.
 */
export async function withSqliteSources(
  sql: string,
  columns: readonly Column[],
  reads: StatementReads,
): Promise<readonly Column[]> {
  const tokens = readSqlTokens(sql, sqliteDialect);
  // The plan of a statement contains no value.
  if (wordOf(sql, tokens[0]) === 'explain') return columns;
  const parsed = await parsedSources(sql, reads).catch((error: unknown) => {
    if (error instanceof ConnectorError || error instanceof RangeError) return undefined;
    throw error;
  });
  const all = sourcesOfReads(sql, tokens, reads);
  const isOriginExact = !hasSetOperation(sql, tokens) && reads.relations.every(isTable);
  const sources = parsed?.length === columns.length ? parsed : undefined;
  return withSources(
    columns,
    columns.map((column, index) => {
      const source = sources?.[index];
      if (source?.unknown === null) return source;
      return isOriginExact ? (sourceOfOrigin(column) ?? all) : all;
    }),
  );
}

const wordOf = (sql: string, token: SqlToken | undefined): string =>
  token?.kind === 'word' ? sql.slice(token.start, token.end).toLowerCase() : '';

const isTable = ({ viewSql }: SchemaRelation): boolean => viewSql === null;

/** Detects a set operation, for which the engine reports the origins of one operand only. */
const hasSetOperation = (sql: string, tokens: readonly SqlToken[]): boolean =>
  tokens.some((token) => ['union', 'intersect', 'except'].includes(wordOf(sql, token)));

const documentTables = new Set(['json_each', 'json_tree']);

function sourceOfOrigin({ origin }: Column): ColumnSources | undefined {
  const relation = origin?.relation?.toLowerCase();
  if (!origin || relation === undefined || documentTables.has(relation)) return undefined;
  return { names: [{ relation, column: origin.column }], unknown: null };
}

/** Returns every column that the statement reads, and every member of a document that it names. */
function sourcesOfReads(sql: string, tokens: readonly SqlToken[], reads: StatementReads): ColumnSources {
  const names: SourceName[] = reads.columns.map(({ table, column }) => ({ relation: table, column }));
  // A view may give a column a personal name that its table does not have.
  for (const { name, columns, viewSql } of reads.relations)
    if (viewSql !== null) names.push(...columns.map((column) => ({ relation: name, column })));
  let unknown = reads.columns.some(({ table }) => documentTables.has(table))
    ? 'the members of a document'
    : null;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'string') continue;
    const text = tokenText(sql, token).slice(1, -1);
    const before = tokens[index - 1];
    const isMember = before?.kind === 'symbol' && sql[before.start] === '>';
    if (!isMember && !isMemberPath(text)) continue;
    const words = memberWords(text);
    names.push(...wordsIn(words).map((column) => ({ relation: null, column })));
    if (words.kind === 'unknown') unknown ??= words.why;
  }
  return { names, unknown };
}

function wordsIn(expression: LineageExpression): readonly string[] {
  if (expression.kind === 'word') return expression.words;
  return expression.kind === 'unknown' ? expression.parts.flatMap(wordsIn) : [];
}

import { ConnectorError } from '../../error.ts';
import { canonicalText } from '../../sql/canonical-text.ts';
import { postgresqlDialect } from '../../sql/dialects.ts';
import { refuseStatement } from '../../sql/read-only-gate.ts';
import { parsePostgresql, tooComplex } from '../parser/parse.ts';
import type { PgNode } from '../parser/tree.ts';
import { postgresqlRules } from '../rules.ts';
import { assertRead, refuseFirstWord } from './assert-read.ts';
import { firstWordOf, startsWithSemicolon } from './first-word.ts';

/** A statement that has passed the gate. Its text is the one to send. */
export type CheckedRead = { readonly sql: string; readonly tree: PgNode };

type Verdict = CheckedRead | ConnectorError;

const verdictsMax = 500;
/** Longer texts are checked each time, so that the cache stays below some megabytes. */
const cachedLengthMax = 4_000;
const verdicts = new Map<string, Verdict>();

/**
 * Checks a statement with PostgreSQL's own parser. A verdict depends on the text alone and is cached.
 *
 * @throws ConnectorError that says why the statement is refused, with its position.
 */
export async function checkRead(sql: string): Promise<CheckedRead> {
  const verdict = verdicts.get(sql) ?? (await decide(sql));
  if (sql.length <= cachedLengthMax && !isOfParser(verdict)) {
    // The text that was used last is dropped last.
    verdicts.delete(sql);
    verdicts.set(sql, verdict);
    const [oldest] = verdicts.size > verdictsMax ? verdicts.keys() : [];
    if (oldest !== undefined) verdicts.delete(oldest);
  }
  if (verdict instanceof ConnectorError) throw verdict;
  return verdict;
}

/** Whether the parser ran out of stack or memory. Another time it may not. */
const isOfParser = (verdict: Verdict): boolean =>
  verdict instanceof ConnectorError && verdict.message === tooComplex;

async function decide(sql: string): Promise<Verdict> {
  try {
    return await check(sql);
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
}

async function check(sql: string): Promise<CheckedRead> {
  // Refuses characters that engines read in different ways. The parser decides about everything else.
  canonicalText(sql, postgresqlDialect);
  if (startsWithSemicolon(sql))
    refuseStatement('empty-statement', 'A semicolon stands before the statement. Remove it.', sql, 0);
  const statements = await parsePostgresql(sql).catch((error: unknown) => {
    const word = firstWordOf(sql);
    if (isSyntaxError(error) && word !== '' && !postgresqlRules.firstWords.has(word)) refuseFirstWord(sql, 0);
    throw error;
  });
  assertRead(sql, statements);
  const [only] = statements;
  if (!only) throw new Error('A checked text holds one statement.');
  return { sql, tree: only.node };
}

const isSyntaxError = (error: unknown): boolean =>
  error instanceof ConnectorError && error.code === 'statement-failed';

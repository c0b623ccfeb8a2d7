import { ConnectorError } from '../../error.ts';
import { canonicalText } from '../../sql/canonical-text.ts';
import { postgresqlDialect } from '../../sql/dialects.ts';
import { refuseStatement } from '../../sql/read-only-gate.ts';
import { parsePostgresql, tooComplex } from '../parser/parse.ts';
import type { PgNode } from '../parser/tree.ts';
import { postgresqlRules } from '../rules.ts';
import { assertRead, refuseFirstWord } from './assert-read.ts';
import { firstWordOf, startsWithSemicolon } from './first-word.ts';

/** Statement that has passed the gate. Only this text may be sent. */
export type CheckedRead = { readonly sql: string; readonly tree: PgNode };

type Verdict = CheckedRead | ConnectorError;

const verdictsMax = 500;
/** Longer texts are not cached, so that the cache has at most a few megabytes. */
const cachedLengthMax = 4_000;
const verdicts = new Map<string, Verdict>();

/**
 * Checks a statement with PostgreSQL's own parser. A verdict depends only on the text and is cached.
 *
 * @throws ConnectorError with the reason of the refusal and its position.
 */
export async function checkRead(sql: string): Promise<CheckedRead> {
  const verdict = verdicts.get(sql) ?? (await decide(sql));
  if (sql.length <= cachedLengthMax && !isOfParser(verdict)) {
    // Moves the text to the end: the least recently used one is evicted first.
    verdicts.delete(sql);
    verdicts.set(sql, verdict);
    const [oldest] = verdicts.size > verdictsMax ? verdicts.keys() : [];
    if (oldest !== undefined) verdicts.delete(oldest);
  }
  if (verdict instanceof ConnectorError) throw verdict;
  return verdict;
}

/** Returns true if the parser ran out of stack or memory. A later attempt may succeed, so this verdict is not cached. */
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
  // Refuses only characters that engines read in different ways. The parser decides about everything else.
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

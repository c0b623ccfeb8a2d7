import { plural } from '@svc/contract/wording';
import { ConnectorError, positionOfCharacter } from '../../error.ts';
import { postgresqlDialect } from '../../sql/dialects.ts';
import { readSqlTokens } from '../../sql/lexer.ts';
import { refuseStatement } from '../../sql/read-only-gate.ts';
import { parseInThread } from './thread.ts';
import { type PgStatement, statementsOf } from './tree.ts';

/** Limits of a text. The parser needs up to 10 µs per token. */
const textLengthMax = 300_000;
const tokensMax = 60_000;
/** Maximum nesting of brackets. Some thousands exhaust the parser's memory. */
const depthMax = 1_000;

/** Message of a refusal. */
export const tooComplex =
  'The statement is nested too deeply, or one of its chains of operators is too long.';

/**
 * Parses a text with PostgreSQL's own parser.
 *
 * @throws ConnectorError `syntax-refused` for a text that the parser cannot accept. `statement-failed`, with the
 * engine's message, SQLSTATE and position, for a text that is not SQL.
 */
export async function parsePostgresql(sql: string): Promise<readonly PgStatement[]> {
  assertText(sql);
  const parsed = await parseInThread(sql);
  if ('isExhausted' in parsed) refuseStatement('syntax-refused', tooComplex, sql, 0);
  if ('json' in parsed) return statementsOf(parsed.json);
  throw new ConnectorError('statement-failed', parsed.message, {
    engineCode: '42601',
    ...(parsed.character > 0 && { position: positionOfCharacter(sql, parsed.character) }),
  });
}

function assertText(sql: string): void {
  const nul = sql.indexOf('\0');
  if (nul !== -1) refuseStatement('syntax-refused', 'The statement holds a NUL character.', sql, nul);
  if (sql.length > textLengthMax)
    refuseStatement(
      'syntax-refused',
      `The statement has more than ${plural(textLengthMax, 'character')}.`,
      sql,
      0,
    );
  const half = loneSurrogate.exec(sql);
  // The driver and the parser would replace it by different characters.
  if (half)
    refuseStatement(
      'syntax-refused',
      'The statement holds half of a character (U+D800 to U+DFFF).',
      sql,
      half.index,
    );
  if (readSqlTokens(sql, postgresqlDialect).length > tokensMax)
    refuseStatement(
      'syntax-refused',
      `The statement has more than ${tokensMax} names, values and signs.`,
      sql,
      0,
    );
  let depth = 0;
  for (let at = 0; at < sql.length; at++) {
    const character = sql[at];
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    if (depth > depthMax) refuseStatement('syntax-refused', tooComplex, sql, at);
  }
}

const loneSurrogate = /\p{Cs}/u;

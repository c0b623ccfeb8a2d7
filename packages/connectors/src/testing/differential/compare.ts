import { ConnectorError } from '../../error.ts';
import { canonicalText } from '../../sql/canonical-text.ts';
import { readSqlTokens, type SqlToken, tokenText } from '../../sql/lexer.ts';
import type { ReadOnlyRules } from '../../sql/read-only-gate.ts';
import { randomText, seededRandom } from './texts.ts';

/** Content of a text: the number of statements, and the names of called functions in alphabetical order. */
export type Reading = { readonly statements: number; readonly functions: readonly string[] };

/** `assertForms` throws for the forms that the gate of an engine refuses because readers of SQL differ in them. */
type Rules = Pick<ReadOnlyRules, 'dialect' | 'assertForms'>;

/** Returns the reading of this service. Undefined: the text is refused. */
export function ownReading(sql: string, { dialect, assertForms }: Rules): Reading | undefined {
  let text: string;
  let tokens: readonly SqlToken[];
  try {
    text = canonicalText(sql, dialect);
    tokens = readSqlTokens(text, dialect).filter(({ kind }) => kind !== 'comment');
    assertForms?.(text, tokens);
  } catch (error) {
    if (error instanceof ConnectorError) return undefined;
    throw error;
  }
  // The gate refuses executable comments.
  if (tokens.some(({ kind, isUnterminated }) => kind === 'executable-comment' || isUnterminated))
    return undefined;
  const signOf = (index: number): string => {
    const token = tokens[index];
    return token?.kind === 'symbol' ? text.slice(token.start, token.end) : '';
  };
  const isSelect = (token: SqlToken): boolean =>
    token.kind === 'word' && tokenText(text, token).toLowerCase() === 'select';
  const functions = tokens.flatMap((token, index) =>
    (token.kind === 'word' || token.kind === 'identifier') && signOf(index + 1) === '(' && !isSelect(token)
      ? [tokenText(text, token).toLowerCase()]
      : [],
  );
  let statements = 0;
  for (const index of tokens.keys())
    if (signOf(index) !== ';' && (index === 0 || signOf(index - 1) === ';')) statements++;
  return { statements, functions: functions.toSorted() };
}

export type Difference = { readonly sql: string; readonly own: unknown; readonly engine: unknown };
export type Report = {
  readonly cases: number;
  readonly compared: number;
  /** Texts that this service refuses. */
  readonly refused: number;
  /** Texts that the engine refuses. */
  readonly invalid: number;
  readonly differences: readonly Difference[];
};

/** Reader of an engine. It returns undefined for a text that the engine refuses. `expected` is the reading of this service. */
export type EngineReader = Rules & {
  /** @returns both readings in a comparable form. */
  readonly read: (
    sql: string,
    reading: Reading,
  ) => Promise<{ readonly own: unknown; readonly engine: unknown } | undefined>;
};

const differencesMax = 20;

/** Compares the readings of random texts. The seed determines the texts. */
export async function compareReadings(engine: EngineReader, cases: number, seed: number): Promise<Report> {
  const random = seededRandom(seed);
  const differences: Difference[] = [];
  let [compared, refused, invalid] = [0, 0, 0];
  for (let at = 0; at < cases; at++) {
    const sql = randomText(random);
    const reading = ownReading(sql, engine);
    if (!reading) {
      refused++;
      continue;
    }
    const both = await engine.read(sql, reading);
    if (!both) {
      invalid++;
      continue;
    }
    compared++;
    if (JSON.stringify(both.own) !== JSON.stringify(both.engine) && differences.length < differencesMax)
      differences.push({ sql, ...both });
  }
  return { cases, compared, refused, invalid, differences };
}

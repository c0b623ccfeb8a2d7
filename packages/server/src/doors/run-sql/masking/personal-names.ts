import { readSqlTokens, type SqlDialect, tokenText } from '@svc/connectors';
import { type Pattern, parsePattern } from './pattern.ts';
import { isPersonalName, type MaskingRules } from './rules.ts';

/**
 * Which column names are masked by themselves: for telling so beforehand. What a statement's own columns come to is
 * decided by its masker.
 */
export function personalNames(rules: MaskingRules): (name: string) => boolean {
  if (!rules.isEnabled) return () => false;
  let patterns: readonly Pattern[];
  try {
    patterns = (rules.customPatterns ?? []).map(parsePattern);
  } catch {
    return () => true;
  }
  return (name) => isPersonalName(name) || patterns.some((pattern) => pattern.occursIn(name));
}

/** Names in a statement that are masked by themselves, in small letters and in order. */
export function personalNamesIn(sql: string, dialect: SqlDialect, rules: MaskingRules): string[] {
  const isPersonal = personalNames(rules);
  const names = readSqlTokens(sql, dialect)
    .filter(({ kind }) => kind === 'word' || kind === 'identifier' || (kind === 'string' && dialect.isJson))
    .flatMap((token) =>
      token.kind === 'string' ? namesInText(sql.slice(token.start, token.end)) : [tokenText(sql, token)],
    )
    .filter(isPersonal);
  return [...new Set(names.map((name) => name.toLowerCase()))].sort();
}

/** Where statements are JSON, names stand in quotes, and as parts of a pointer. */
const namesInText = (text: string): string[] => text.split(/[^\p{L}\p{N}_-]+/u).filter((name) => name !== '');

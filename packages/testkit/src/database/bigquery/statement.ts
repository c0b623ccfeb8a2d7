import { StatementFault } from './shop.ts';

/** Statement types of the service, by first words. Written independently of the gate under test. */
const types: readonly (readonly [RegExp, string])[] = [
  [/^(select|with)\b/i, 'SELECT'],
  [/^from\b/i, 'SELECT'],
  [/^insert\b/i, 'INSERT'],
  [/^update\b/i, 'UPDATE'],
  [/^delete\b/i, 'DELETE'],
  [/^merge\b/i, 'MERGE'],
  [/^truncate\s+table\b/i, 'TRUNCATE_TABLE'],
  [
    /^create\b.*?\b(table|view|schema|function|procedure|model|index|capacity|reservation|assignment|policy)\b/is,
    'CREATE',
  ],
  [/^alter\b/i, 'ALTER_TABLE'],
  [/^drop\b/i, 'DROP_TABLE'],
  [/^export\s+data\b/i, 'EXPORT_DATA'],
  [/^export\s+model\b/i, 'EXPORT_MODEL'],
  [/^load\s+data\b/i, 'LOAD_DATA'],
  [/^(grant|revoke)\b/i, 'GRANT'],
  [
    /^(call|execute|declare|set|begin|commit|rollback|if|loop|while|repeat|for|assert|raise|return|case|undrop)\b/i,
    'SCRIPT',
  ],
];

/** Removes comments, and empties strings and quoted names, so that the remaining words and semicolons are code. */
const codeOf = (sql: string): string =>
  sql.replaceAll(
    /('''|""")(?:\\[\s\S]|(?!\1)[\s\S])*\1|'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"|`(?:\\[\s\S]|[^`\\])*`|--[^\r\n]*|#[^\r\n]*|\/\*[\s\S]*?\*\//g,
    (text) => (/^(--|#|\/\*)/.test(text) ? ' ' : "''"),
  );

/** Returns the `statementType` that the service reports. Throws `StatementFault` for an invalid statement. */
export function statementType(sql: string): string {
  const code = codeOf(sql);
  const statements = code.split(';').filter((part) => part.trim() !== '');
  if (statements.length > 1) return 'SCRIPT';
  const text = (statements[0] ?? '').replace(/^[\s(]+/, '');
  const match = types.find(([pattern]) => pattern.test(text));
  if (!match) throw new StatementFault('invalidQuery', 'Syntax error: Unexpected statement at [1:1]');
  if (match[1] === 'SELECT' && !/\bselect\b/i.test(text) && !/^from\b/i.test(text))
    throw new StatementFault('invalidQuery', 'Syntax error: Expected keyword SELECT at [1:1]');
  return match[1];
}

import type { DuckDBConnection } from '@duckdb/node-api';
import { ConnectorError, positionAt } from '../../error.ts';
import { refusedFunctionsOf } from '../../sql/read-only-gate.ts';
import { duckdbRules } from '../rules.ts';

/** A text that the engine's parser read as one SELECT, or as EXPLAIN and one SELECT. */
export type ReadText = {
  readonly sql: string;
  readonly isExplain: boolean;
  /** The serialised SELECT. */
  readonly tree: unknown;
};

type Tree = { readonly error?: unknown; readonly statements?: unknown };

/** Parts of `explainPrefix`: it matches `EXPLAIN` and its options, separated by blanks alone. */
const blank = '[ \\t\\r\\n]';
const option = `${blank}*(?:analyze|format${blank}+[a-z]+)${blank}*`;
const explainPrefix = new RegExp(
  `^${blank}*explain(?:${blank}+analyze\\b|${blank}*\\(${option}(?:,${option})*\\))?${blank}*`,
  'i',
);

/**
 * Parses the text with the engine's own parser and refuses any text other than one SELECT. The parser does not return the
 * content of an EXPLAIN. Therefore this function parses the explained text alone and prepends `EXPLAIN` to exactly that text.
 *
 * Throws `not-a-read`, `more-than-one-statement`, `function-refused` or, for a path in place of a table, `permission-denied`,
 * and the engine's error for invalid syntax.
 */
export async function readOneSelect(connection: DuckDBConnection, sql: string): Promise<ReadText> {
  const prefix = explainPrefix.exec(sql)?.[0] ?? '';
  const select = sql.slice(prefix.length);
  const tree = await parse(connection, select);
  if (tree.error !== false || !Array.isArray(tree.statements)) return refuse(connection, sql);
  if (tree.statements.length !== 1) throw moreThanOne();
  assertNodes(tree.statements, sql, Buffer.byteLength(prefix));
  return { sql: prefix.toUpperCase() + select, isExplain: prefix !== '', tree: tree.statements[0] };
}

async function parse(connection: DuckDBConnection, sql: string): Promise<Tree> {
  const result = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  const text = String(result.getRowsJson()[0]?.[0]);
  // The engine's own format is not validated.
  const tree: Tree = JSON.parse(text);
  return tree;
}

const moreThanOne = () =>
  new ConnectorError('more-than-one-statement', 'Only one statement may be run at a time.');

/** Throws the engine's error for invalid syntax, else the reason why the statement is not a read. */
async function refuse(connection: DuckDBConnection, sql: string): Promise<never> {
  const { count } = await connection.extractStatements(sql);
  if (/\bpivot\b/i.test(sql) && !sql.includes(';') && count > 1) {
    const message =
      'PIVOT without a list of values is not available: the engine runs it as two statements. Name the values: PIVOT … ON column IN (…).';
    throw new ConnectorError('not-a-read', message);
  }
  if (count > 1) throw moreThanOne();
  const message = /\bexplain\b/i.test(sql)
    ? 'Only a read may be explained here. Write it directly behind EXPLAIN and its options.'
    : 'Only statements that read are allowed here.';
  throw new ConnectorError('not-a-read', message);
}

/** Matches table names that the engine reads as a file path if no table has that name. */
const pathOfFile = /[/\\]|\.(?:csv|tsv|txt|jsonl?|ndjson|parquet|duckdb|ddb|db|gz|zst)$/i;

/**
 * Refuses functions and file paths anywhere in the tree. The member `function_name` names each function, operator, window
 * and table function.
 */
function assertNodes(tree: unknown, sql: string, prefixBytes: number): void {
  const isRefused = refusedFunctionsOf(duckdbRules);
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    const { function_name: name, table_name: table, type } = node as Readonly<Record<string, unknown>>;
    const refused = (code: 'function-refused' | 'permission-denied', message: string) => {
      const at = 'query_location' in node ? Number(node.query_location) + prefixBytes : 0;
      const before = Buffer.from(sql).subarray(0, at).toString();
      return new ConnectorError(code, message, {
        position: positionAt(sql, Math.min(before.length, sql.length)),
      });
    };
    if (typeof name === 'string' && isRefused(name.toLowerCase()))
      throw refused('function-refused', `The function ${name.toLowerCase()} is not available here.`);
    if (type === 'BASE_TABLE' && typeof table === 'string' && pathOfFile.test(table))
      throw refused('permission-denied', 'Name the table of a file, not its path.');
    for (const child of Object.values(node)) if (typeof child === 'object') open.push(child);
  }
}

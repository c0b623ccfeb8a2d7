import { constants, DatabaseSync } from 'node:sqlite';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { parseRaw } from '../../postgresql/parser/instance.ts';
import { canonicalText } from '../../sql/canonical-text.ts';
import { duckdbDialect, postgresqlDialect, sqliteDialect } from '../../sql/dialects.ts';
import type { ReadOnlyRules } from '../../sql/read-only-gate.ts';
import type { EngineReader, Reading } from './compare.ts';

/** Returns the names of all functions in a tree. */
function namesIn(
  root: unknown,
  nameOf: (node: Readonly<Record<string, unknown>>) => string | undefined,
): string[] {
  const names: string[] = [];
  const pending: unknown[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const name = nameOf(next as Readonly<Record<string, unknown>>);
    if (name !== undefined) names.push(name.toLowerCase());
    pending.push(...Object.values(next).filter((value) => value !== null && value !== undefined));
  }
  return names.toSorted();
}

const unique = ({ statements, functions }: Reading): Reading => ({
  statements,
  functions: [...new Set(functions)],
});

type PgNames = readonly { readonly String?: { readonly sval?: string } }[];
const lastOf = (names: unknown): string | undefined => (names as PgNames | undefined)?.at(-1)?.String?.sval;

/** PostgreSQL's own parser. In its tree `trim(x)` is `btrim`, and `name(x) 'text'` is a constant of a type. */
export const postgresqlReader: EngineReader = {
  dialect: postgresqlDialect,
  read: async (sql, reading) => {
    const parsed = await parseRaw(sql);
    if (!('json' in parsed)) return undefined;
    const tree = JSON.parse(parsed.json) as { readonly stmts?: readonly unknown[] };
    const functions = namesIn(tree, (node) => {
      const call = node['FuncCall'] as { readonly funcname?: unknown } | undefined;
      const name = call ? lastOf(call.funcname) : node['typmods'] ? lastOf(node['names']) : undefined;
      return name?.replace(/^btrim$/, 'trim');
    });
    return { own: reading, engine: { statements: tree.stmts?.length ?? 0, functions } };
  },
};

/**
 * DuckDB's own parser. It also names the functions of operators, so only calls are counted. In its tree, `name(x) 'text'` is
 * a constant of a type.
 */
export async function duckdbReader(): Promise<EngineReader & { readonly close: () => void }> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  return {
    dialect: duckdbDialect,
    read: (sql, reading) => readDuckdb(connection, sql, reading),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Functions of `[x]` and `(x, y)`, which are not calls. */
const ofSigns = new Set(['list_value', 'row']);

async function readDuckdb(connection: DuckDBConnection, sql: string, reading: Reading) {
  if (sql.includes('\0')) return undefined;
  const result = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  const tree = JSON.parse(String(result.getRowsJson()[0]?.[0])) as {
    readonly error?: unknown;
    readonly statements?: readonly unknown[];
  };
  if (tree.error !== false) return undefined;
  const functions = namesIn(tree.statements, (node) => {
    if (node['class'] === 'FUNCTION')
      return node['is_operator'] === true || ofSigns.has(String(node['function_name']))
        ? undefined
        : String(node['function_name']);
    const modifiers = node['user_type_modifiers'];
    return Array.isArray(modifiers) && modifiers.length > 0 ? String(node['name']) : undefined;
  });
  return { own: reading, engine: { statements: tree.statements?.length ?? 0, functions } };
}

/** SQLite's authorizer. It reports a function each time that it is compiled, so only the distinct names are compared. */
export function sqliteReader(): EngineReader & { readonly close: () => void } {
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: false });
  const functions = new Set<string>();
  database.setAuthorizer((action, _first, second) => {
    if (action === constants.SQLITE_FUNCTION) functions.add(String(second).toLowerCase());
    return constants.SQLITE_OK;
  });
  return {
    dialect: sqliteDialect,
    read: async (sql, reading) => {
      functions.clear();
      try {
        database.prepare(sql);
      } catch {
        return undefined;
      }
      // SQLite compiles only the first of several statements.
      if (reading.statements > 1) return undefined;
      return {
        own: unique(reading).functions.toSorted(),
        engine: [...functions].toSorted(),
      };
    },
    close: () => database.close(),
  };
}

/**
 * Reader of an engine that executes statements. The canonical form must have the same result as the original text. A
 * text that the engine refuses is not executed in its canonical form.
 */
export function executingReader(
  rules: ReadOnlyRules,
  execute: (sql: string) => Promise<unknown>,
): EngineReader {
  const resultOf = (sql: string) => execute(sql).catch(() => undefined);
  return {
    ...rules,
    read: async (sql) => {
      const engine = await resultOf(sql);
      return engine === undefined
        ? undefined
        : { own: await resultOf(canonicalText(sql, rules.dialect)), engine };
    },
  };
}

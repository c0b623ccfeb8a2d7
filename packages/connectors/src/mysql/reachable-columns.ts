import type { Connection } from 'mysql2';
import { isMemberPath } from '../lineage/members.ts';
import type { SourceName } from '../lineage/query.ts';
import { mysqlDialect } from '../sql/dialects.ts';
import { readSqlTokens, tokenText } from '../sql/lexer.ts';
import { query } from './session.ts';

/** Columns of tables with these names in every database, then views and routines, which may read other tables. */
const columnsStatement = `
  select lower(c.table_name) as relation, lower(c.column_name) as name from information_schema.columns c
   where lower(c.table_name) in (?)
  union all select 'view', null from information_schema.tables t
   where lower(t.table_name) in (?) and t.table_type = 'VIEW'
  union all select 'routine', null from information_schema.routines r where lower(r.routine_name) in (?)`;

type Row = { readonly relation: string; readonly name: string | null };

const namesMax = 1_000;

/**
 * Returns the columns that any value of a nested statement can come from: all columns of the tables that it names.
 * Undefined if they are unknown, because a view or a routine may read other tables. Undefined also for a statement
 * that is not nested: its items show their sources themselves.
 */
export async function reachableColumns(
  client: Connection,
  sql: string,
): Promise<readonly SourceName[] | undefined> {
  const names = namesOf(sql);
  if (!names || names.length === 0) return undefined;
  const rows = await query<Row>(client, columnsStatement, [names, names, names]);
  const columns = rows.flatMap(({ relation, name }) => (name === null ? [] : [{ relation, column: name }]));
  return columns.length === rows.length ? columns : undefined;
}

/** Returns all names of the text. Undefined for a text that is not nested, or that names members of documents. */
function namesOf(sql: string): readonly string[] | undefined {
  const names = new Set<string>();
  let selects = 0;
  for (const token of readSqlTokens(sql, mysqlDialect)) {
    const text = tokenText(sql, token);
    if (token.kind === 'string' && isMemberPath(text.slice(1, -1))) return undefined;
    if (token.kind !== 'word' && token.kind !== 'identifier') continue;
    const name = text.toLowerCase();
    if (token.kind === 'word' && (name === 'select' || name === 'table')) selects++;
    names.add(name);
  }
  return selects > 1 && names.size <= namesMax ? [...names] : undefined;
}

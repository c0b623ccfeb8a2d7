import type { DatabaseSync } from 'node:sqlite';
import type { SchemaRelation, StatementReads } from '../embedded/messages.ts';
import type { Authorizer } from './authorizer.ts';

/** Returns the columns that a prepared statement reads, with their tables and views. */
export function readsOf(database: DatabaseSync, { reads, unguarded }: Authorizer): StatementReads {
  const columns = reads();
  return unguarded(() => {
    const names = [...new Set(columns.map(({ table }) => table))];
    return { columns, relations: names.map((name) => relationOf(database, name)) };
  });
}

function relationOf(database: DatabaseSync, name: string): SchemaRelation {
  // Omits hidden columns of virtual tables, as a star does.
  const columns = database.prepare('select name from pragma_table_xinfo(?) where hidden <> 1').all(name);
  const view = database
    .prepare("select sql from sqlite_schema where type = 'view' and name = ? collate nocase")
    .get(name);
  return {
    name,
    columns: columns.map((column) => String(column['name']).toLowerCase()),
    viewSql: view ? String(view['sql']) : null,
  };
}

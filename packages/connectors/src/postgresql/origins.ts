import type pg from 'pg';
import type { ColumnOrigin } from '../values.ts';

/**
 * Asks the server, without running the statement, which table and column each result column is taken from. An
 * expression has none. PostgreSQL follows plain columns through subqueries, CTEs and joins; a view is a table here.
 */
export async function readOrigins(client: pg.Client, sql: string): Promise<(ColumnOrigin | null)[]> {
  const fields = await describe(client, sql);
  const tables = [...new Set(fields.map((field) => field.tableID).filter((id) => id > 0))];
  if (tables.length === 0) return fields.map(() => null);
  const { rows } = await client.query<{
    table_id: string;
    column_number: number;
    table: string;
    column: string;
  }>(
    `select a.attrelid::text as table_id, a.attnum::int as column_number, c.relname as "table", a.attname as "column"
       from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid
      where a.attrelid = any ($1::oid[]) and a.attnum > 0`,
    [tables],
  );
  const byPlace = new Map(
    rows.map((row) => [`${row.table_id}.${row.column_number}`, { table: row.table, column: row.column }]),
  );
  return fields.map((field) => byPlace.get(`${field.tableID}.${field.columnID}`) ?? null);
}

type Fields = readonly pg.FieldDef[];
type ServerConnection = {
  parse: (message: { text: string }) => void;
  describe: (message: { type: 'S'; name: string }) => void;
  sync: () => void;
};

/** Parse, Describe, Sync of the unnamed statement, as a query of the driver's own kind. */
function describe(client: pg.Client, sql: string): Promise<Fields> {
  return new Promise((resolve, reject) => {
    let fields: Fields = [];
    const query = {
      submit(connection: unknown) {
        const server = connection as ServerConnection;
        server.parse({ text: sql });
        server.describe({ type: 'S', name: '' });
        server.sync();
      },
      handleRowDescription(message: { fields: Fields }) {
        fields = message.fields;
      },
      // The driver lets go of a query that has failed: it is not told when the server is ready again.
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    };
    client.query(query as unknown as pg.Submittable);
  });
}

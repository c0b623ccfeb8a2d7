import type { RunningService } from '@svc/testkit/service/service.ts';

/** Returns the tables of all schemas of the service's database that contain a text, as text or as bytes. */
export async function tablesWith({ database }: RunningService, text: string): Promise<string[]> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const matches: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await database.query(
      `select from ${name} t where position($1 in t::text) > 0 or position($2 in t::text) > 0 limit 1`,
      [text, Buffer.from(text).toString('hex')],
    );
    if (rowCount !== 0) matches.push(name);
  }
  return matches;
}

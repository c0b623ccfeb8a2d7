import type pg from 'pg';

/** File of `packages/jobs/schema`, with its path relative to that folder. */
export type DumpedFile = { readonly file: string; readonly content: string };

const writtenBy = '-- Written by `npm run db:schema` from the migrations. Do not edit.';

/**
 * Returns the library's schema from the catalogue, so that a change of the migrations appears as a diff. One file
 * contains tables and views. Each function has its own file, because its text exists nowhere else.
 *
 * @param schema the migrated schema: `defaultSchema`.
 */
export async function dumpJobsSchema(client: pg.ClientBase, schema: string): Promise<DumpedFile[]> {
  // PostgreSQL qualifies types and tables outside the search path with their schema.
  await client.query('set search_path = pg_catalog');
  const parts = [
    writtenBy,
    ...(await enums(client, schema)),
    ...(await tables(client, schema)),
    ...(await views(client, schema)),
  ];
  return [{ file: 'tables.sql', content: `${parts.join('\n\n')}\n` }, ...(await functions(client, schema))];
}

async function enums(client: pg.ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select format('create type %I.%I as enum (%s);', n.nspname, t.typname,
       (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
     ) as text
     from pg_type t join pg_namespace n on n.oid = t.typnamespace
     where n.nspname = $1 and t.typtype = 'e' order by t.typname collate "C"`,
    [schema],
  );
  return rows.map(({ text }) => text);
}

async function tables(client: pg.ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string; indexes: string[] }>(
    `select format(E'create %stable %I.%I (\\n  %s\\n)%s;',
       case c.relpersistence when 'u' then 'unlogged ' else '' end, n.nspname, c.relname,
       concat_ws(E',\\n  ', columns.text, constraints.text), ' with (' || array_to_string(c.reloptions, ', ') || ')'
     ) as text,
     array(
       select pg_get_indexdef(i.indexrelid) || ';' from pg_index i join pg_class x on x.oid = i.indexrelid
       where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
       order by x.relname collate "C"
     ) as indexes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     cross join lateral (
       select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
           case when a.attnotnull then 'not null' end, case when a.attidentity <> '' then 'generated' end,
           'default ' || pg_get_expr(d.adbin, d.adrelid)), E',\\n  ' order by a.attnum) as text
       from pg_attribute a left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     ) columns
     cross join lateral (
       select string_agg(format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), E',\\n  '
         order by k.conname collate "C") as text
       from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n'
     ) constraints
     where n.nspname = $1 and c.relkind in ('r', 'p') order by c.relname collate "C"`,
    [schema],
  );
  return rows.flatMap(({ text, indexes }) => [text, ...indexes]);
}

async function views(client: pg.ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select format(E'create view %I.%I as\\n%s', n.nspname, c.relname, pg_get_viewdef(c.oid)) as text
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind = 'v' order by c.relname collate "C"`,
    [schema],
  );
  return rows.map(({ text }) => text);
}

async function functions(client: pg.ClientBase, schema: string): Promise<DumpedFile[]> {
  const { rows } = await client.query<{ name: string; text: string }>(
    `select p.proname as name, string_agg(pg_get_functiondef(p.oid), E';\\n\\n' order by p.oid) as text
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = $1 group by p.proname order by p.proname collate "C"`,
    [schema],
  );
  return rows.map(({ name, text }) => ({
    file: `functions/${name}.sql`,
    content: `${writtenBy}\n\n${text.trimEnd()};\n`,
  }));
}

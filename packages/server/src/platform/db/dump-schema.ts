import type pg from 'pg';

type Column = {
  table: string;
  column: string;
  type: string;
  notNull: boolean;
  default: string | null;
  generated: boolean;
};

async function columns(client: pg.ClientBase): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type,
           a.attnotnull as "notNull", pg_get_expr(d.adbin, d.adrelid) as "default",
           a.attidentity <> '' or a.attgenerated <> '' as generated
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'svc'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname collate "C", a.attnum`);
  return rows;
}

/**
 * Returns the schema as text, from the catalogue. `migrations/schema.sql` contains this text, so that a change
 * appears as a diff.
 */
export async function dumpSchema(client: pg.ClientBase): Promise<string> {
  const tables = Map.groupBy(await columns(client), (column) => column.table);
  const { rows: constraints } = await client.query<{ table: string; text: string }>(`
    select c.relname as "table", format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid)) as text
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'svc' and k.contype <> 'n' and not c.relispartition
    order by c.relname collate "C", k.contype, k.conname collate "C"`);
  const { rows: indexes } = await client.query<{ table: string; text: string }>(`
    select i.tablename as "table", i.indexdef as text from pg_indexes i
    where i.schemaname = 'svc' and not exists (
      select from pg_constraint k join pg_namespace n on n.oid = k.connamespace
      where n.nspname = 'svc' and k.conname = i.indexname)
    order by i.tablename collate "C", i.indexname collate "C"`);
  const { rows: partitioned } = await client.query<{ table: string; by: string }>(`
    select c.relname as "table", lower(pg_get_partkeydef(c.oid)) as by
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'svc' where c.relkind = 'p'`);
  const partitionKeys = new Map(partitioned.map(({ table, by }) => [table, by]));
  const { rows: functions } = await client.query<{ text: string }>(`
    select pg_get_functiondef(p.oid) as text from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'svc' order by p.proname collate "C"`);
  const parts = ['-- Written by `npm run db:schema` from the migrations. Do not edit.'];
  for (const [table, list] of tables) {
    const lines = list.map((column) =>
      [
        column.column,
        column.type,
        column.notNull ? 'not null' : '',
        column.generated ? 'generated' : '',
        column.default === null ? '' : `default ${column.default}`,
      ]
        .filter(Boolean)
        .join(' '),
    );
    const tableConstraints = constraints
      .filter((constraint) => constraint.table === table)
      .map((constraint) => constraint.text);
    const by = partitionKeys.get(table);
    const partitioning = by === undefined ? '' : ` partition by ${by}`;
    parts.push(
      `create table svc.${table} (\n  ${[...lines, ...tableConstraints].join(',\n  ')}\n)${partitioning};`,
    );
    parts.push(...indexes.filter((index) => index.table === table).map((index) => `${index.text};`));
  }
  parts.push(...functions.map(({ text }) => `${text.trimEnd()};`));
  return `${parts.join('\n\n')}\n`;
}

const scalarTypes: Readonly<Record<string, string>> = {
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  numeric: 'number',
  text: 'string',
  uuid: 'string',
  boolean: 'boolean',
  'timestamp with time zone': 'Date',
  date: 'Date',
  jsonb: 'unknown',
  // Transaction ids: compared by PostgreSQL, transferred as text.
  xid8: 'string',
  bytea: 'Buffer',
};

function typeOf(column: Column): string {
  const isArray = column.type.endsWith('[]');
  const scalar = scalarTypes[column.type.replace('[]', '')];
  if (scalar === undefined)
    throw new Error(`No TypeScript type is known for ${column.table}.${column.column}: ${column.type}`);
  const base = isArray ? `${scalar}[]` : scalar;
  const read = column.notNull || scalar === 'unknown' ? base : `${base} | null`;
  const isOptional = column.generated || column.default !== null || !column.notNull;
  if (scalar === 'unknown')
    return `ColumnType<unknown, ${isOptional ? 'string | null | undefined' : 'string'}, string | null>`;
  return isOptional && (column.generated || column.default !== null) ? `Generated<${read}>` : read;
}

/**
 * Returns the TypeScript types of all tables for Kysely. JSON columns are read as `unknown` and written as JSON
 * text.
 */
export async function tableTypes(client: pg.ClientBase): Promise<string> {
  const tables = Map.groupBy(await columns(client), (column) => column.table);
  const bodies = [...tables].map(
    ([table, list]) =>
      `  ${table}: {\n${list.map((column) => `    ${column.column}: ${typeOf(column)};`).join('\n')}\n  };`,
  );
  return `// Written by \`npm run db:schema\` from the migrations. Do not edit.\nimport type { ColumnType, Generated } from 'kysely';\n\nexport type Tables = {\n${bodies.join('\n')}\n};\n`;
}

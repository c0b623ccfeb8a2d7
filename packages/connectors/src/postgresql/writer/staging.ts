import type pg from 'pg';
import type { ColumnKind } from '../../values.ts';
import type { WritePlan } from '../../writers/port.ts';
import type { PostgresqlColumn } from './describe.ts';
import { quoted, quotedTable, type StagingTables, stagingTables } from './names.ts';

/** Types of a table that the copy creates. Each represents every cell of its kind exactly. */
const newTypes: Readonly<Record<ColumnKind, string>> = {
  boolean: 'boolean',
  integer: 'bigint',
  decimal: 'numeric',
  float: 'double precision',
  text: 'text',
  uuid: 'uuid',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  interval: 'interval',
  binary: 'bytea',
  json: 'json',
  other: 'text',
};

const oidsOfNewTypes: Readonly<Record<ColumnKind, number>> = {
  boolean: 16,
  integer: 20,
  decimal: 1700,
  float: 701,
  text: 25,
  uuid: 2950,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  binary: 17,
  json: 114,
  other: 25,
};

export const newColumnType = (kind: ColumnKind): string => newTypes[kind];

/** Returns the columns of a table that does not exist yet. */
export const newColumns = ({ columns, keyColumns }: WritePlan): PostgresqlColumn[] =>
  columns.map(({ to, kind }) => ({
    name: to,
    databaseType: newTypes[kind],
    kind,
    isNullable: !keyColumns.includes(to),
    hasDefault: false,
    isGenerated: false,
    typeOid: oidsOfNewTypes[kind],
    typeModifier: -1,
  }));

/** Returns the statement that creates the destination. The key columns are its primary key. */
export function createDestination({ destination, columns, keyColumns }: WritePlan): string {
  const parts = columns.map(({ to, kind }) => `${quoted(to)} ${newTypes[kind]}`);
  const key = keyColumns.length === 0 ? [] : [`primary key (${keyColumns.map(quoted).join(', ')})`];
  return `create table ${quotedTable(destination)} (${[...parts, ...key].join(', ')})`;
}

/**
 * Creates the mark: a table with one row. The committing transaction deletes this row in its first statement. After a
 * crash the row shows whether that transaction can still commit: it exists, is locked, or is gone.
 */
export async function createMark(client: pg.Client, { mark }: StagingTables): Promise<void> {
  await client.query(`create table ${mark} (id integer); insert into ${mark} values (1)`);
}

/**
 * Creates the staging table, with the destination's own types and row checks. It is unlogged: a server crash that
 * empties it also breaks the connection of the copy, which then starts again.
 */
export async function createStaging(
  client: pg.Client,
  plan: WritePlan,
  unmapped: readonly string[],
  exists: boolean,
): Promise<void> {
  const { rows } = stagingTables(plan.destination.schema, plan.stagingName);
  if (!exists) {
    const columns = plan.columns.map(({ to, kind }) => {
      const isKey = plan.keyColumns.includes(to);
      return `${quoted(to)} ${newTypes[kind]}${isKey ? ' not null' : ''}`;
    });
    await client.query(`create unlogged table ${rows} (${columns.join(', ')})`);
    return;
  }
  const drops = unmapped.map((name) => `drop column ${quoted(name)}`);
  const change = drops.length === 0 ? '' : `; alter table ${rows} ${drops.join(', ')}`;
  await client.query(
    `create unlogged table ${rows} (like ${quotedTable(plan.destination)} including constraints)${change}`,
  );
}

/** Drops the tables of a copy. The mark is dropped last, so that it still identifies an incomplete removal. */
export async function dropTables(client: pg.Client, tables: StagingTables): Promise<void> {
  await client.query(`drop table if exists ${tables.rows}`);
  await client.query(`drop table if exists ${tables.mark}`);
}

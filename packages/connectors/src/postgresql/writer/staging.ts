import type pg from 'pg';
import type { ColumnKind } from '../../values.ts';
import type { WritePlan } from '../../writers/port.ts';
import type { PostgresqlColumn } from './describe.ts';
import { quoted, quotedTable, type StagingTables, stagingTables } from './names.ts';

/** Types of a table that the copy makes; each holds every cell of its kind exactly. */
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

/** The columns of a table that is not there yet. */
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

/** Statement that makes the destination; its keys are the primary key. */
export function createDestination({ destination, columns, keyColumns }: WritePlan): string {
  const parts = columns.map(({ to, kind }) => `${quoted(to)} ${newTypes[kind]}`);
  const key = keyColumns.length === 0 ? [] : [`primary key (${keyColumns.map(quoted).join(', ')})`];
  return `create table ${quotedTable(destination)} (${[...parts, ...key].join(', ')})`;
}

/**
 * Makes the mark: a table with one row, which the committing transaction deletes first of all. A row that is there, or
 * locked, tells whoever comes after a crash whether that transaction can still commit.
 */
export async function createMark(client: pg.Client, { mark }: StagingTables): Promise<void> {
  await client.query(`create table ${mark} (id integer); insert into ${mark} values (1)`);
}

/**
 * Makes the table that rows wait in, with the destination's own types and checks of single rows. It is not logged: where
 * the server loses it in a crash, the copy has lost its connection as well, and begins anew.
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

/** Drops the tables of a copy; the mark last, so that what is left can be told by it. */
export async function dropTables(client: pg.Client, tables: StagingTables): Promise<void> {
  await client.query(`drop table if exists ${tables.rows}`);
  await client.query(`drop table if exists ${tables.mark}`);
}

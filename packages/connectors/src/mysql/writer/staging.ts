import type { ColumnKind } from '../../values.ts';
import type { WritePlan } from '../../writers/port.ts';
import type { MysqlColumn } from './describe.ts';
import { quoted, quotedTable, type StagingTables } from './names.ts';
import type { WritingSession } from './session.ts';

const keptText = 'character set utf8mb4 collate utf8mb4_bin';
const longText = `longtext ${keptText}`;

/** Types of a table that the copy creates. A value that exceeds them, such as a decimal with more digits, rejects its row. */
const newTypes: Readonly<Record<ColumnKind, string>> = {
  boolean: 'tinyint(1)',
  integer: 'bigint',
  decimal: 'decimal(65,30)',
  float: 'double',
  text: longText,
  uuid: `char(36) ${keptText}`,
  date: 'date',
  time: 'time(6)',
  timestamp: 'datetime(6)',
  timestamptz: 'datetime(6)',
  interval: `varchar(64) ${keptText}`,
  binary: 'longblob',
  json: longText,
  other: longText,
};

/** The length of a key is bounded. */
const newKeyTypes: Partial<Readonly<Record<ColumnKind, string>>> = {
  text: `varchar(255) ${keptText}`,
  other: `varchar(255) ${keptText}`,
  binary: 'varbinary(255)',
};

const typeOf = (kind: ColumnKind, isKey: boolean): string =>
  (isKey ? newKeyTypes[kind] : undefined) ?? newTypes[kind];

/** Returns the type for display. */
export const newColumnType = (kind: ColumnKind, isKey: boolean): string =>
  typeOf(kind, isKey).replace(` ${keptText}`, '');

const keyLength = 255;
const longBytes = 4_294_967_295;
const decimalPlaces = 30;
const timePlaces = 6;

/** Returns the columns of a table that does not exist yet. */
export const newColumns = ({ columns, keyColumns }: WritePlan): MysqlColumn[] =>
  columns.map(({ to, kind }) => {
    const isKey = keyColumns.includes(to);
    const type = newColumnType(kind, isKey);
    const length = /^(?:var)?char\((\d+)\)/.exec(type)?.[1];
    return {
      name: to,
      databaseType: type,
      kind:
        ({ boolean: 'integer', timestamptz: 'timestamp' } as Partial<Record<ColumnKind, ColumnKind>>)[kind] ??
        (['uuid', 'interval', 'json', 'other'].includes(kind) ? 'text' : kind),
      isNullable: !isKey,
      hasDefault: false,
      isGenerated: false,
      dataType: type.replace(/\(.*/, ''),
      charactersMax: length === undefined ? null : Number(length),
      bytesMax: type === 'varbinary(255)' ? keyLength : longBytes,
      scale: kind === 'decimal' ? decimalPlaces : null,
      timePlaces,
      members: [],
    };
  });

/**
 * Creates the tables of a copy next to the destination. The first stages rows. It has the destination's types, checks
 * and unique keys, or the definition of the new destination. The mark is created last, so that its existence proves
 * that both exist. The mark is empty; the committing transaction inserts its row.
 */
export async function createStaging(
  { run }: Pick<WritingSession, 'run'>,
  plan: WritePlan,
  tables: StagingTables,
  exists: boolean,
): Promise<void> {
  await run(
    exists
      ? `create table ${tables.rows} like ${quotedTable(plan.destination)}`
      : `create table ${tables.rows} (${newDefinition(plan)}) engine = InnoDB`,
  );
  await run(
    `create table ${tables.mark} (id integer primary key, is_committed integer not null) engine = InnoDB`,
  );
}

function newDefinition({ columns, keyColumns }: WritePlan): string {
  const parts = columns.map(({ to, kind }) => {
    const isKey = keyColumns.includes(to);
    return `${quoted(to)} ${typeOf(kind, isKey)} ${isKey ? 'not null' : 'null'}`;
  });
  const key = keyColumns.length === 0 ? [] : [`primary key (${keyColumns.map(quoted).join(', ')})`];
  return [...parts, ...key].join(', ');
}

/** Drops the tables of a copy. The mark is dropped first: without it no copy counts as committed. */
export async function dropTables(
  { run }: Pick<WritingSession, 'run'>,
  { mark, rows, taken }: StagingTables,
): Promise<void> {
  for (const table of [mark, rows, taken]) await run(`drop table if exists ${table}`);
}

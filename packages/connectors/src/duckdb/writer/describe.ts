import path from 'node:path';
import type { ColumnKind } from '../../values.ts';
import { type Destination, type DestinationColumn, noCascades } from '../../writers/port.ts';
import type { FilesEngine } from './engine.ts';
import { type FilePlace, mayWriteIn } from './place.ts';
import { readerOf } from './statements.ts';

const kindsByType: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^(U?(TINY|SMALL|BIG)INT|U?INTEGER)$/, 'integer'],
  [/^DECIMAL/, 'decimal'],
  [/^(FLOAT|DOUBLE)$/, 'float'],
  [/^BOOLEAN$/, 'boolean'],
  [/^VARCHAR$/, 'text'],
  [/^JSON$/, 'json'],
  [/^UUID$/, 'uuid'],
  [/^BLOB$/, 'binary'],
  [/^DATE$/, 'date'],
  [/^TIME$/, 'time'],
  [/^TIMESTAMP(_S|_MS)?$/, 'timestamp'],
  [/^TIMESTAMP WITH TIME ZONE$/, 'timestamptz'],
];

/** Returns the kind of a type; `other` for a type that copies cannot write. */
const kindOf = (type: string): ColumnKind =>
  kindsByType.find(([pattern]) => pattern.test(type))?.[1] ?? 'other';

/** Returns the columns of an existing file. All columns of a CSV file are text. */
export async function columnsOfFile(engine: FilesEngine, place: FilePlace): Promise<DestinationColumn[]> {
  const [rows = []] = await engine.run([place.path], [`DESCRIBE SELECT * FROM ${readerOf(place)}`]);
  return rows.map(([name, type]) => ({
    name: String(name),
    databaseType: String(type).toLowerCase(),
    kind: kindOf(String(type)),
    isNullable: true,
    hasDefault: false,
    isGenerated: false,
  }));
}

/** Describes the destination at a place, and the missing conditions for a write. */
export async function describePlace(engine: FilesEngine, place: FilePlace | undefined): Promise<Destination> {
  if (!place) {
    return { table: undefined, missingToCreate: ['a file of that name among the files of the data source'] };
  }
  const lacks = (await mayWriteIn(path.dirname(place.path))) ? [] : ['write access to the folder'];
  const onlyRead = `files that end in ${path.extname(place.path)} are only read`;
  if (!place.exists) {
    return {
      table: undefined,
      missingToCreate: place.format ? lacks : [`a way to write it: ${onlyRead}`],
      ...(place.format === 'csv' && { newColumnType: 'text' }),
    };
  }
  const columns = place.format ? await columnsOfFile(engine, place) : [];
  return {
    missingToCreate: lacks,
    table: {
      columns,
      uniqueKeys: null,
      primaryKey: [],
      estimatedRows: await estimateRows(engine, place),
      isTable: true,
      unfit: place.format ? [] : [onlyRead],
      hasTriggers: false,
      cascades: noCascades,
      hidesRows: false,
      missingPrivileges: { Insert: lacks, Upsert: lacks, Truncate: lacks, Sync: lacks },
    },
  };
}

/** Returns the row count of a Parquet file; null for any other format. */
async function estimateRows(engine: FilesEngine, place: FilePlace): Promise<number | null> {
  if (place.format !== 'parquet') return null;
  const [rows = []] = await engine.run([place.path], [`SELECT count(*) FROM ${readerOf(place)}`]);
  return Number(rows[0]?.[0] ?? 0);
}

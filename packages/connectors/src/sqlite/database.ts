import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { ConnectorError } from '../error.ts';

const heapLimitBytes = 256 * 1024 * 1024;
const busyTimeoutMs = 5_000;
const sqlBytesMax = 1_000_000;
const headerText = 'SQLite format 3\0';

/** Offset of the read version in the file header, and its value for files with a write-ahead log. */
const readFormat = { offset: 19, walValue: 2 };
const headerBytes = 20;

/** Open database file. */
export type ReadOnlyDatabase = {
  readonly database: DatabaseSync;
  /** Throws if the file was opened as immutable and has changed since. */
  readonly assertUnchanged: () => void;
};

/**
 * Opens a file for reading only, in a separate process. The schema of a foreign file is not trusted: its views and
 * triggers may not call functions with effects. The engine has a hard memory limit.
 *
 * A file with an empty write-ahead log would need files next to it, which this process may not create. It is opened
 * as immutable, and a change during the read is an error.
 */
export function openReadOnly(file: string, valueBytesMax: number): ReadOnlyDatabase {
  const isUnchanging = hasWriteAheadLog(file) && !isThere(`${file}-wal`);
  const before = isUnchanging ? stateOf(file) : '';
  const assertUnchanged = () => {
    if (!isUnchanging || stateOf(file) === before) return;
    const message = `The file ${path.basename(file)} was changed while it was read. Run the statement again.`;
    throw new ConnectorError('file-unreadable', message);
  };
  return { database: openDatabase(file, valueBytesMax, isUnchanging), assertUnchanged };
}

const isThere = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

function stateOf(file: string): string {
  const { ino, size, mtimeNs } = statSync(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

function openDatabase(file: string, valueBytesMax: number, isUnchanging: boolean): DatabaseSync {
  const place = pathToFileURL(file);
  if (isUnchanging) place.searchParams.set('immutable', '1');
  try {
    const database = new DatabaseSync(place, {
      readOnly: true,
      defensive: true,
      allowExtension: false,
      enableForeignKeyConstraints: false,
      enableDoubleQuotedStringLiterals: false,
      timeout: busyTimeoutMs,
      limits: { length: valueBytesMax, sqlLength: sqlBytesMax, attach: 0 },
    });
    database.exec(
      `PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
       PRAGMA hard_heap_limit = ${heapLimitBytes}; PRAGMA temp_store = MEMORY;`,
    );
    return database;
  } catch (error) {
    throw new ConnectorError(
      'file-unreadable',
      `The file ${path.basename(file)} cannot be opened as an SQLite database.`,
      { origin: 'Service', cause: error },
    );
  }
}

/**
 * Reads from the header whether the file has a write-ahead log. Throws for a file that is not a database. Without
 * this check SQLite would read the file only with the first statement, and treat an empty file as an empty database.
 */
function hasWriteAheadLog(file: string): boolean {
  const header = Buffer.alloc(headerBytes);
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    readSync(handle, header, 0, header.length, 0);
  } catch (error) {
    throw new ConnectorError('file-unreadable', `The file ${path.basename(file)} cannot be read.`, {
      origin: 'Service',
      cause: error,
    });
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
  if (header.toString('latin1', 0, headerText.length) !== headerText) {
    throw new ConnectorError(
      'file-unreadable',
      `The file ${path.basename(file)} is not an SQLite database.`,
      { origin: 'Service' },
    );
  }
  return header[readFormat.offset] === readFormat.walValue;
}

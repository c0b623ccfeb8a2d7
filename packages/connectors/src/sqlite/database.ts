import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConnectorError } from '../error.ts';

const heapLimitBytes = 256 * 1024 * 1024;
const busyTimeoutMs = 5_000;
const sqlBytesMax = 1_000_000;
const headerText = 'SQLite format 3\0';

/**
 * Opens a file for reading only, in a process of its own. The schema of a foreign file is not trusted: its views and
 * triggers may not call functions with effects, and the engine has a hard limit of memory.
 */
export function openReadOnly(file: string, valueBytesMax: number): DatabaseSync {
  assertIsDatabase(file);
  try {
    const database = new DatabaseSync(file, {
      readOnly: true,
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
      {
        cause: error,
      },
    );
  }
}

/** SQLite itself looks at a file only with the first statement; an empty file would pass for an empty database. */
function assertIsDatabase(file: string): void {
  const header = Buffer.alloc(headerText.length);
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    readSync(handle, header, 0, header.length, 0);
  } catch (error) {
    throw new ConnectorError('file-unreadable', `The file ${path.basename(file)} cannot be read.`, {
      cause: error,
    });
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
  if (header.toString('latin1') !== headerText) {
    throw new ConnectorError('file-unreadable', `The file ${path.basename(file)} is not an SQLite database.`);
  }
}

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ZipFile } from 'yazl';
import manifest from '../../../package.json' with { type: 'json' };
import { withMigrationConnection } from '../../platform/db/index.ts';
import { appliedFiles } from '../migration-plan.ts';
import { knownSchemas } from '../schemas.ts';
import { type FoundTable, findSequences, findTables, identifier, quoted } from './catalogue.ts';
import { type BackupManifest, entryOf, manifestEntry, type TableBackup } from './manifest.ts';

/** Source and destination of a backup. */
export type BackupOptions = {
  readonly connection: pg.ClientConfig;
  /** Path of the archive. It must not exist, and appears only when it is complete. */
  readonly file: string;
  readonly now: Date;
  /** Called before each table. */
  readonly onTable?: (place: {
    readonly name: string;
    readonly position: number;
    readonly total: number;
  }) => void;
};

const lineEnd = 0x0a;

/**
 * Writes every row of the service from one consistent snapshot, during normal operation. The file is a zip archive
 * with one entry of `COPY` text per table, and a manifest with counts and SHA-256 sums. Secrets remain encrypted;
 * the archive does not contain the key.
 *
 * @returns the manifest.
 * @throws Error with a message for the operator when the file exists or cannot be written, or when the database
 * contains no service.
 */
export async function createBackup(options: BackupOptions): Promise<BackupManifest> {
  const partial = `${options.file}.partial`;
  if (existsSync(options.file))
    throw new Error(`${options.file} is already there. Name another file; no backup is written over.`);
  const output = await openPartial(partial);
  try {
    const written = await withMigrationConnection(options.connection, async (client) => {
      await client.query('begin isolation level repeatable read read only');
      // Flushed to disk before the rename: a power failure leaves no incomplete file under the final name.
      return write(client, output.createWriteStream({ flush: true }), options);
    });
    await rename(partial, options.file);
    return written;
  } catch (error) {
    await output.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw inWords(error);
  }
}

/** Creates a new file that only this user can read, because it contains all data. */
async function openPartial(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw inWords(error);
    throw new Error(
      `${file} is already there: another backup is being written, or was killed. Remove it, or name another file.`,
    );
  }
}

/** Error codes of a file system. */
const fileFaults = new Set(
  'EACCES EDQUOT EFBIG EIO EISDIR ENAMETOOLONG ENOENT ENOSPC ENOTDIR EPERM EROFS'.split(' '),
);

/** Adds a sentence to errors of the file system. Returns other errors unchanged, such as a lost database connection. */
function inWords(error: unknown): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  // The server's Unix socket can also cause an error of the file system.
  return fileFaults.has(code) && syscall !== 'connect'
    ? new Error(`The backup cannot be written: ${message}. Nothing of it is left.`, { cause: error })
    : error;
}

async function write(
  client: pg.ClientBase,
  output: NodeJS.WritableStream,
  { now, onTable }: BackupOptions,
): Promise<BackupManifest> {
  const tables = await findTables(client);
  if (tables.length === 0)
    throw new Error(
      'The database holds no service: there is nothing to back up. Look at Svc:Database:ConnectionString.',
    );
  const zip = new ZipFile();
  const archive = zip.outputStream.pipe(new PassThrough());
  // The zip library does not propagate the error of a table stream to either end of the archive.
  const fail = (error: Error) => void archive.destroy(error);
  zip.on('error', fail);
  const done: TableBackup[] = [];
  const sequences = await findSequences(client);
  const head = await headOf(client, now);
  const completeManifest = (): BackupManifest => ({ ...head, tables: done, sequences: [...sequences] });
  for (const [index, table] of tables.entries())
    zip.addReadStreamLazy(entryOf(table), { mtime: now }, (take) => {
      onTable?.({ name: `${table.schema}.${table.name}`, position: index + 1, total: tables.length });
      const rows = client.query(copyTo(`copy (select ${columnsOf(table)} from ${quoted(table)}) to stdout`));
      const counted = counting((counts) => done.push({ ...table, ...counts }));
      pipeline(rows, counted).catch(fail);
      take(null, counted);
    });
  // Called after every table has been written. Only then are the counts complete.
  zip.addReadStreamLazy(manifestEntry, { mtime: now }, (take) => {
    const text = new PassThrough();
    text.end(`${JSON.stringify(completeManifest(), null, 2)}\n`);
    take(null, text);
  });
  zip.end();
  await pipeline(archive, output);
  await client.query('commit');
  return completeManifest();
}

const columnsOf = ({ columns }: FoundTable): string => columns.map((name) => identifier(name)).join(', ');

/** Passes bytes through, and reports their number, lines and SHA-256 at the end. */
function counting(onEnd: (counts: Pick<TableBackup, 'rows' | 'bytes' | 'sha256'>) => void): Transform {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(lineEnd); at !== -1; at = chunk.indexOf(lineEnd, at + 1)) rows += 1;
      next(null, chunk);
    },
    flush(next) {
      onEnd({ rows, bytes, sha256: hash.digest('hex') });
      next();
    },
  });
}

async function headOf(
  client: pg.ClientBase,
  now: Date,
): Promise<Omit<BackupManifest, 'tables' | 'sequences'>> {
  const { rows: server } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  const { rows: keys } = await client.query<{ id: string }>(
    'select key_id as id from svc.encryption_key_checks order by 1',
  );
  const schemas: BackupManifest['schemas'] = [];
  for (const { name } of knownSchemas()) {
    const applied = await appliedFiles(client, name);
    schemas.push({ name, migrations: [...applied].map(([file, checksum]) => ({ name: file, checksum })) });
  }
  return {
    format: 'svc-backup',
    formatVersion: 1,
    createdAt: now.toISOString(),
    serviceVersion: manifest.version,
    postgresVersion: server[0]?.version ?? '',
    keyIds: keys.map(({ id }) => id),
    schemas,
  };
}

import { lstatSync } from 'node:fs';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DuckdbFile, DuckdbResources } from '../../embedded/messages.ts';
import { duckdbError } from '../errors.ts';
import { createFileView, type FileView } from '../files/file-view.ts';
import { textLiteral } from '../names.ts';

const bytesPerMb = 1_048_576;
/** Bytes of an `MB` in a setting of the engine. */
const engineMb = 1_000_000;

/** New in-memory instance for one run. */
export type Duckdb = {
  readonly connection: DuckDBConnection;
  /** Locks the configuration: no later statement can change a setting. */
  readonly lock: () => Promise<void>;
  /** Result for each file, in the order of the files. */
  readonly views: readonly FileView[];
  /** Throws `file-unreadable` for the first unreadable file. */
  readonly assertReadable: () => void;
  readonly close: () => void;
};

/**
 * Opens an instance that can access only the listed files, loads no extension, and has limits for memory, temporary space
 * and threads. The engine applies the settings in the order of the object: the temporary folder must be the first.
 */
export async function openDuckdb(options: {
  readonly temporaryFolder: string;
  readonly resources: DuckdbResources;
  readonly files?: readonly DuckdbFile[];
  /** Additional files that statements may read and write. */
  readonly paths?: readonly string[];
}): Promise<Duckdb> {
  const { memoryMb, temporaryMb, threads } = options.resources;
  const instance = await DuckDBInstance.create(':memory:', {
    temp_directory: options.temporaryFolder,
    max_temp_directory_size: `${temporaryMb}MB`,
    memory_limit: `${memoryMb}MB`,
    threads: String(threads),
    preserve_insertion_order: 'true',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_unsigned_extensions: 'false',
  });
  const connection = await instance.connect();
  const memoryBytes = memoryMb * engineMb;
  const copyBytesMax = (temporaryMb * bytesPerMb) / 4;
  const space = { bytesMax: copyBytesMax, bytesLeft: copyBytesMax };
  const files = (options.files ?? []).map((file, index) => ({
    file,
    decoded: { path: path.join(options.temporaryFolder, `decoded-${index}.csv`), space },
  }));
  const ownPaths = files.flatMap(({ file, decoded }) => [file.path, ...logOf(file), decoded.path]);
  const paths = [...ownPaths, ...(options.paths ?? [])].map(textLiteral).join(', ');
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`SET allowed_paths = [${paths}]`);
  await connection.run('SET enable_external_access = false');
  const views: FileView[] = [];
  try {
    for (const { file, decoded } of files)
      views.push(await createFileView(connection, file, { decoded, memoryBytes }));
  } catch (error) {
    connection.closeSync();
    instance.closeSync();
    throw duckdbError(error);
  }
  return {
    connection,
    views,
    assertReadable: () => {
      for (const view of views) if ('refusal' in view) throw duckdbError(new Error(view.refusal));
    },
    lock: async () => void (await connection.run('SET lock_configuration = true')),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/**
 * Returns the path of the write-ahead log of a DuckDB file. Excludes a log that is not a regular file, because a symbolic
 * link could lead to any file. The log may be missing.
 */
function logOf({ path: place, format }: DuckdbFile): string[] {
  const log = `${place}.wal`;
  const isSound = lstatSync(log, { throwIfNoEntry: false })?.isFile() ?? true;
  return format === 'duckdb' && isSound ? [log] : [];
}

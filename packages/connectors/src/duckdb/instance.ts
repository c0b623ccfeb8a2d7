import { lstatSync } from 'node:fs';
import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DuckdbFile, DuckdbResources } from '../embedded/messages.ts';
import { duckdbError } from './errors.ts';
import { createFileView, type FileView } from './files/file-view.ts';
import { textLiteral } from './names.ts';

const bytesPerMb = 1_048_576;

/** A fresh in-memory instance for one run. */
export type Duckdb = {
  readonly connection: DuckDBConnection;
  /** From here on no setting can be changed, by nobody. */
  readonly lock: () => Promise<void>;
  /** What came of each file, in their order. */
  readonly views: readonly FileView[];
  /** Throws `file-unreadable` for the first file that cannot be read. */
  readonly assertReadable: () => void;
  readonly close: () => void;
};

/**
 * Opens an instance that reaches no file but the listed ones, loads no extension, and has bounds on memory, temporary
 * space and threads. Settings are applied in the order they stand: the temporary folder must come first.
 */
export async function openDuckdb(options: {
  readonly temporaryFolder: string;
  readonly resources: DuckdbResources;
  readonly files?: readonly DuckdbFile[];
  /** Further files that statements may name, to be read or written. */
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
  const space = { bytesMax: (temporaryMb * bytesPerMb) / 4, bytesLeft: (temporaryMb * bytesPerMb) / 4 };
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
    for (const { file, decoded } of files) views.push(await createFileView(connection, file, decoded));
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

/** Beside a database lies what was not yet written into it. A link there could lead anywhere; none is no fault. */
function logOf({ path: place, format }: DuckdbFile): string[] {
  const log = `${place}.wal`;
  const isSound = lstatSync(log, { throwIfNoEntry: false })?.isFile() ?? true;
  return format === 'duckdb' && isSound ? [log] : [];
}

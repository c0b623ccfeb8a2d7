import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DuckdbFile, DuckdbResources } from '../embedded/messages.ts';
import { csvSource } from './csv-source.ts';
import { duckdbError } from './errors.ts';
import { quoteName, textLiteral } from './names.ts';
import { readersByEnding } from './settings.ts';

/** A fresh in-memory instance for one run. */
export type Duckdb = {
  readonly connection: DuckDBConnection;
  /** From here on no setting can be changed, by nobody. */
  readonly lock: () => Promise<void>;
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
  const paths = [...(options.files ?? []).map((file) => file.path), ...(options.paths ?? [])]
    .map(textLiteral)
    .join(', ');
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`SET allowed_paths = [${paths}]`);
  await connection.run('SET enable_external_access = false');
  try {
    for (const file of options.files ?? []) await createView(connection, file);
  } catch (error) {
    connection.closeSync();
    instance.closeSync();
    throw duckdbError(error);
  }
  return {
    connection,
    lock: async () => void (await connection.run('SET lock_configuration = true')),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Listed paths are files: a name with a wildcard character is not expanded. */
async function createView(connection: DuckDBConnection, { name, path: file }: DuckdbFile): Promise<void> {
  const reader = readersByEnding.get(path.extname(file).toLowerCase()) ?? 'read_csv';
  const source =
    reader === 'read_csv' ? await csvSource(connection, file) : `${reader}(${textLiteral(file)})`;
  await connection.run(`CREATE VIEW ${quoteName(name)} AS SELECT * FROM ${source}`);
}

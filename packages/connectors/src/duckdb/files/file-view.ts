import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DuckdbFile } from '../../embedded/messages.ts';
import { quoteName, textLiteral } from '../names.ts';
import { csvSource } from './csv-source.ts';
import type { DecodedFile } from './decoded-file.ts';
import { readersByEnding } from './file-formats.ts';
import { refuseFile } from './file-refusals.ts';

/**
 * Creates the view of one file. Listed paths are files: a name with a wildcard character is not expanded. A file that
 * cannot be read gets a view whose reads fail with the reason, so that the other files of the source stay readable.
 *
 * Throws where the engine has no memory left. Returns the refusal of a file that cannot be read.
 */
export async function createFileView(
  connection: DuckDBConnection,
  file: DuckdbFile,
  decoded: DecodedFile,
): Promise<readonly string[]> {
  const reader = readersByEnding.get(path.extname(file.path).toLowerCase()) ?? 'read_csv';
  try {
    const source =
      reader === 'read_csv'
        ? await csvSource(connection, file.path, decoded)
        : `${reader}(${textLiteral(file.path)})`;
    await connection.run(`CREATE VIEW ${quoteName(file.name)} AS SELECT * FROM ${source}`);
    return [];
  } catch (error) {
    const refusal = refuseFile(error, path.basename(file.path));
    await connection.run(
      `CREATE VIEW ${quoteName(file.name)} AS SELECT error(${textLiteral(refusal)})::VARCHAR AS unreadable`,
    );
    return [refusal];
  }
}

import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { ConnectorError } from '../../error.ts';
import type { FilePolicy } from '../../files/file-policy.ts';
import type { TableName } from '../../writers/port.ts';
import type { DuckdbConnection } from '../settings.ts';

export type FileFormat = 'csv' | 'parquet';

/** Destination file of a copy. */
export type FilePlace = {
  readonly path: string;
  readonly exists: boolean;
  /** Undefined: files of this ending are read-only. */
  readonly format: FileFormat | undefined;
  /** Separator of the fields of a CSV file. */
  readonly delimiter: ',' | '\t';
};

const formatsByEnding = new Map<string, FileFormat>([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.txt', 'csv'],
  ['.parquet', 'parquet'],
]);

/** Returns the file of a table; undefined if the data source lists no file of that name. */
export async function placeOf(
  { files }: DuckdbConnection,
  { schema, table }: TableName,
  policy: FilePolicy,
): Promise<FilePlace | undefined> {
  const file = files.find(({ name }) => schema === 'main' && name === table);
  if (!file) return undefined;
  const place = await policy.resolveNew(file.path);
  // The engine would read such a path as a pattern of several files.
  if (/[*?[\]{}]/.test(place.path)) {
    throw new ConnectorError('file-not-allowed', 'A file’s path may not hold the characters * ? [ ] { }.');
  }
  const ending = path.extname(place.path).toLowerCase();
  return { ...place, format: formatsByEnding.get(ending), delimiter: ending === '.tsv' ? '\t' : ',' };
}

/** Returns all folders that may contain staging files of copies into a data source. */
export async function foldersOf({ files }: DuckdbConnection, policy: FilePolicy): Promise<string[]> {
  const folders = new Set<string>();
  for (const file of files) folders.add(path.dirname((await policy.resolveNew(file.path)).path));
  return [...folders];
}

/** Returns true if the service can create and replace files in the folder. */
export const mayWriteIn = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

/** Staging files of a copy, in the folder of its destination, so that a rename can replace the destination. */
export type StagingFiles = {
  /**
   * Empty at first, then the complete new file. The commit renames it to the destination, so a process can commit only
   * while this file exists.
   */
  readonly token: string;
  /** Without the token, its existence means that the token became the destination. */
  readonly mark: string;
  /** The new file until it is complete. */
  readonly work: string;
  /** Name to which a takeover renames the token. */
  readonly taken: string;
};

export const stagingFiles = (folder: string, stagingName: string): StagingFiles => {
  const at = (ending: string) => path.join(folder, `${stagingName}${ending}`);
  return { token: at(''), mark: at('_m'), work: at('_w'), taken: at('_x') };
};

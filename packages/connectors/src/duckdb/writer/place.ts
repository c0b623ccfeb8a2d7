import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { ConnectorError } from '../../error.ts';
import type { FilePolicy } from '../../files/file-policy.ts';
import type { TableName } from '../../writers/port.ts';
import type { DuckdbConnection } from '../settings.ts';

export type FileFormat = 'csv' | 'parquet';

/** The file that a copy goes to. */
export type FilePlace = {
  readonly path: string;
  readonly exists: boolean;
  /** Undefined: files of this ending are only read. */
  readonly format: FileFormat | undefined;
  /** Between the fields of a CSV file. */
  readonly delimiter: ',' | '\t';
};

const formatsByEnding = new Map<string, FileFormat>([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.txt', 'csv'],
  ['.parquet', 'parquet'],
]);

/** Where a table of the data source lies. Undefined: the data source lists no file of that name. */
export async function placeOf(
  { files }: DuckdbConnection,
  { schema, table }: TableName,
  policy: FilePolicy,
): Promise<FilePlace | undefined> {
  const file = files.find(({ name }) => schema === 'main' && name === table);
  if (!file) return undefined;
  const place = await policy.resolveNew(file.path);
  // The engine would take such a name for a pattern of several files.
  if (/[*?[\]{}]/.test(place.path)) {
    throw new ConnectorError('file-not-allowed', 'A file’s path may not hold the characters * ? [ ] { }.');
  }
  const ending = path.extname(place.path).toLowerCase();
  return { ...place, format: formatsByEnding.get(ending), delimiter: ending === '.tsv' ? '\t' : ',' };
}

/** The folders that copies into a data source leave something in, at most. */
export async function foldersOf({ files }: DuckdbConnection, policy: FilePolicy): Promise<string[]> {
  const folders = new Set<string>();
  for (const file of files) folders.add(path.dirname((await policy.resolveNew(file.path)).path));
  return [...folders];
}

/** Whether a file can be made in the folder and take another one's place. */
export const mayWriteIn = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

/** What a copy has beside its destination, in the same folder, so that one can take the other's place. */
export type StagingFiles = {
  /** Whoever holds it can commit: empty at first, then the whole new file, then the destination. */
  readonly token: string;
  /** Tells, where the token is gone, that it became the destination. */
  readonly mark: string;
  /** The new file while it is written. */
  readonly work: string;
  /** Where a takeover puts the token aside. */
  readonly taken: string;
};

export const stagingFiles = (folder: string, stagingName: string): StagingFiles => {
  const at = (ending: string) => path.join(folder, `${stagingName}${ending}`);
  return { token: at(''), mark: at('_m'), work: at('_w'), taken: at('_x') };
};

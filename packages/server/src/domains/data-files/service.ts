import { randomUUID } from 'node:crypto';
import { link, mkdir, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ConnectorError, type FilePolicy, isUploadable } from '@svc/connectors';
import type { AnswerOf, DataFile, FilePreview, listDataFiles } from '@svc/contract';
import { badRequest, conflict } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { contentError } from './content.ts';
import { listFiles, presentFile } from './list-files.ts';
import { type FilePreviewDeps, previewFile } from './preview.ts';

export type DataFilesDeps = FilePreviewDeps & {
  /** Decides which paths are allowed, with the same policy as data sources. */
  readonly policy: FilePolicy;
  /** Absolute paths. Uploads go to the first folder. */
  readonly folders: readonly string[];
  /** The service's own folder, created when it is missing. */
  readonly ownFolder: string;
  readonly uploadBytesMax: number;
};

export type DataFilesService = {
  readonly list: () => Promise<AnswerOf<typeof listDataFiles>>;
  /**
   * Stores an uploaded file. Never overwrites a file.
   *
   * @throws Refusal for an invalid name or content, or a folder that is not writable.
   */
  readonly upload: (by: CallerActor, name: string, bytes: Buffer) => Promise<DataFile>;
  /** Shows how a file is read under settings that are not saved yet. */
  readonly preview: (
    by: CallerActor,
    file: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<FilePreview>;
};

/**
 * Excludes folders, leading dots and all characters with a special meaning in a shell, a URL or another file system.
 */
const plainName = /^[A-Za-z0-9][A-Za-z0-9 ._-]*$/;
const readableByGroup = 0o640;

/** Creates the service that lists, previews and stores files for data sources. */
export function createDataFilesService(deps: DataFilesDeps): DataFilesService {
  const { database, audit, policy, folders, ownFolder, uploadBytesMax } = deps;
  const [folder] = folders;

  return {
    list: async () => ({ ...(await listFiles(folders, policy)), folders: [...folders], uploadBytesMax }),

    preview: (by, file, signal) => previewFile(deps, by, file, signal),

    upload: async (by, name, bytes) => {
      if (uploadBytesMax === 0 || folder === undefined) throw uploadsOff('The operator allows no uploads.');
      if (!plainName.test(name) || name.includes('..') || !isUploadable(name)) throw refusedName();
      const wrong = await contentError(name, bytes);
      if (wrong !== undefined) throw badRequest('file-content-refused', wrong);
      if (folder === ownFolder) await mkdir(folder, { recursive: true });
      const { path: target, exists } = await policy.resolveNew(path.join(folder, name)).catch(refused);
      if (exists) throw fileExists(name);
      await place(target, bytes, name);
      await database
        .transaction((tx) =>
          audit.record(tx, {
            event: 'data_sources.file_uploaded',
            by,
            detail: { name, sizeBytes: bytes.length },
          }),
        )
        .catch(async (error: unknown) => {
          await unlink(target);
          throw error;
        });
      return presentFile(path.dirname(target), target, await stat(target));
    },
  };
}

/** Stores the file atomically and never overwrites: a hard link fails where a rename would replace the target. */
async function place(target: string, bytes: Buffer, name: string): Promise<void> {
  const part = path.join(path.dirname(target), `.${randomUUID()}.part`);
  try {
    await writeFile(part, bytes, { flag: 'wx', mode: readableByGroup });
    await link(part, target);
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? fileExists(name) : closedFolder(error);
  } finally {
    await unlink(part).catch(() => undefined);
  }
}

/** Maps errors of a full, missing or read-only folder to a refusal. Returns other errors unchanged. */
function closedFolder(error: unknown): unknown {
  const closed = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOENT'];
  return closed.includes(codeOf(error) ?? '')
    ? uploadsOff('The service cannot write into the folder of files.')
    : error;
}

function refused(error: unknown): never {
  throw error instanceof ConnectorError
    ? uploadsOff('The folder of files is not there, or is none that files may lie in.')
    : error;
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

const uploadsOff = (detail: string) => conflict('uploads-off', detail);

const fileExists = (name: string) => conflict('file-exists', `There is a file ${name} already.`);

const refusedName = () => {
  const message =
    'must be a name such as orders.csv, which ends in .csv, .tsv, .parquet, .json, .jsonl, .ndjson, .xlsx, .duckdb, .sqlite, .sqlite3 or .db';
  return badRequest('file-name-refused', `The name ${message}.`, [{ path: '/name', message }]);
};

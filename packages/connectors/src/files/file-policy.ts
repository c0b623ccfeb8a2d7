import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConnectorError } from '../error.ts';

export type FilePolicyOptions = {
  /** Folders whose files may be data sources. Absolute. Empty: none. */
  readonly allowedFolders: readonly string[];
  /** The service's own data folder: nothing in it but what lies in an allowed folder below it may be read. */
  readonly dataDirectory?: string;
};

export type FilePolicy = {
  /** The file's real path. Throws `file-not-allowed` or `file-unreadable`. */
  readonly resolve: (file: string) => Promise<string>;
};

/**
 * Decides which files may be read. It looks at the real path, so that neither `..` nor a symbolic link leads outside;
 * the engines are given the real path.
 */
export function createFilePolicy(options: FilePolicyOptions): FilePolicy {
  return {
    resolve: async (file) => {
      if (!path.isAbsolute(file) || file.includes('\0')) {
        throw new ConnectorError('file-not-allowed', 'A file is given by its absolute path.');
      }
      const allowed = await realFolders(options.allowedFolders);
      // Before the file is looked at: whether something exists elsewhere is nobody's business here.
      const isPossible = [...options.allowedFolders, ...allowed].some((folder) =>
        isInside(path.normalize(file), folder),
      );
      if (!isPossible) throw notAllowed(options.allowedFolders);
      const real = await realFile(file);
      const own = options.dataDirectory === undefined ? [] : await realFolders([options.dataDirectory]);
      const folder = allowed.find((candidate) => isInside(real, candidate));
      // An allowed folder that holds the data folder does not open it.
      const isOwn = own.some(
        (root) => isInside(real, root) && !(folder !== undefined && isInside(folder, root)),
      );
      if (folder === undefined || isOwn) throw notAllowed(options.allowedFolders);
      return real;
    },
  };
}

function notAllowed(folders: readonly string[]): ConnectorError {
  const where =
    folders.length === 0 ? 'no folder is allowed' : `allowed are files inside ${folders.join(', ')}`;
  return new ConnectorError('file-not-allowed', `The file lies where data sources may not read: ${where}.`);
}

function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

async function realFolders(folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    try {
      found.push(await realpath(folder));
    } catch {
      // A folder that is not there yet allows nothing.
    }
  }
  return found;
}

async function realFile(file: string): Promise<string> {
  try {
    const real = await realpath(file);
    if ((await stat(real)).isFile()) return real;
  } catch (error) {
    throw new ConnectorError('file-unreadable', `The file ${path.basename(file)} cannot be read.`, {
      cause: error,
    });
  }
  throw new ConnectorError('file-unreadable', `${path.basename(file)} is not a file.`);
}

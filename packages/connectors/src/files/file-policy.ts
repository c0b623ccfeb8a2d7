import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConnectorError } from '../error.ts';

export type FilePolicyOptions = {
  /** Absolute paths of the folders whose files may be data sources. Empty: none. */
  readonly allowedFolders: readonly string[];
  /** The service's own data folder. Only files in an allowed folder below it may be read. */
  readonly dataDirectory?: string;
};

export type FilePolicy = {
  /** Returns the file's real path. Throws `file-not-allowed` or `file-unreadable`. */
  readonly resolve: (file: string) => Promise<string>;
  /** Returns the real path of a file to write, which may exist. Throws as `resolve` does. */
  readonly resolveNew: (file: string) => Promise<{ readonly path: string; readonly exists: boolean }>;
};

/**
 * Creates the policy that decides which files may be read. It checks the real path, so that neither `..` nor a
 * symbolic link leads outside, and engines receive the real path.
 */
export function createFilePolicy(options: FilePolicyOptions): FilePolicy {
  const decide = async (file: string, find: (file: string) => Promise<string>): Promise<string> => {
    if (!path.isAbsolute(file) || file.includes('\0')) {
      throw new ConnectorError('file-not-allowed', 'A file is given by its absolute path.');
    }
    const allowed = await realFolders(options.allowedFolders);
    // Decided before any access to the file: the answer must not reveal whether a file exists elsewhere.
    const isPossible = [...options.allowedFolders, ...allowed].some((folder) =>
      isInside(path.normalize(file), folder),
    );
    if (!isPossible) throw notAllowed(options.allowedFolders);
    const real = await find(file);
    const dataFolders = options.dataDirectory === undefined ? [] : await realFolders([options.dataDirectory]);
    const folder = allowed.find((candidate) => isInside(real, candidate));
    // An allowed folder that contains the data folder does not allow the data folder.
    const isOwn = dataFolders.some(
      (root) => isInside(real, root) && !(folder !== undefined && isInside(folder, root)),
    );
    if (folder === undefined || isOwn) throw notAllowed(options.allowedFolders);
    return real;
  };
  return {
    resolve: (file) => decide(file, realFile),
    resolveNew: async (file) => {
      let exists = true;
      const real = await decide(file, async (named) => {
        if (await isThere(named)) return realFile(named);
        exists = false;
        return path.join(await realFolder(path.dirname(named)), path.basename(named));
      });
      return { path: real, exists };
    },
  };
}

/** Returns true also for a dangling link, so that no file is created at its target. */
async function isThere(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw new ConnectorError('file-unreadable', `The file ${path.basename(file)} cannot be read.`, {
      origin: 'Service',
      cause: error,
    });
  }
}

async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    throw new ConnectorError('file-unreadable', 'The folder of the file is not there.', {
      origin: 'Service',
      cause: error,
    });
  }
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
  const paths: string[] = [];
  for (const folder of folders) {
    try {
      paths.push(await realpath(folder));
    } catch {
      // A folder that does not exist yet allows nothing.
    }
  }
  return paths;
}

async function realFile(file: string): Promise<string> {
  try {
    const real = await realpath(file);
    if ((await stat(real)).isFile()) return real;
  } catch (error) {
    throw new ConnectorError('file-unreadable', `The file ${path.basename(file)} cannot be read.`, {
      origin: 'Service',
      cause: error,
    });
  }
  throw new ConnectorError('file-unreadable', `${path.basename(file)} is not a file.`, { origin: 'Service' });
}

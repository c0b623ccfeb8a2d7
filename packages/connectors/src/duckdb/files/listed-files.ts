import type { DuckdbFile } from '../../embedded/messages.ts';
import { ConnectorError } from '../../error.ts';
import type { FilePolicy } from '../../files/file-policy.ts';
import type { Statement } from '../../port.ts';
import type { DuckdbConnection } from '../settings.ts';
import { formatOf } from './file-formats.ts';
import { settingsOf } from './file-settings.ts';

/** File in the list of a data source. */
type ListedFile = DuckdbConnection['files'][number];

/** Matches statements that may list the available tables. */
const listsTables = /information_schema|duckdb_|sqlite_|pg_|pragma|show/;

/**
 * Returns the files that a statement may read. A user's statement that names files reads only these files, unless it lists
 * tables. It reads an XLSX or DuckDB file only if it names the file. A missing file, such as the future destination of a
 * copy, is an error only for a statement that names it.
 */
export async function filesFor(
  policy: FilePolicy,
  { files }: DuckdbConnection,
  { sql }: Statement,
  isOfUser = false,
): Promise<DuckdbFile[]> {
  const text = sql.toLowerCase();
  // Statements double a quote inside a name, so they do not contain such a name unchanged.
  const isNamed = (name: string) => name.includes('"') || text.includes(name.toLowerCase());
  const isConfined = files.some(({ name }) => isNamed(name)) && !listsTables.test(text);
  const readable = await Promise.all(
    files.map(async (listed) => {
      const { name, path } = listed;
      const isWholeRead = ['xlsx', 'duckdb'].includes(formatOf(path) ?? '');
      if (isOfUser && !isNamed(name) && (isConfined || isWholeRead)) return [];
      try {
        return [await allowedFile(policy, listed)];
      } catch (error) {
        const isMissing = error instanceof ConnectorError && error.code === 'file-unreadable';
        if (!isMissing || isNamed(name)) throw error;
        return [];
      }
    }),
  );
  return readable.flat();
}

/** Derives the format from the listed path, because a symbolic link may resolve to a file with another ending. */
export const allowedFile = async (
  policy: FilePolicy,
  { name, path, ...settings }: ListedFile,
): Promise<DuckdbFile> => ({
  name,
  format: formatOf(path) ?? 'csv',
  path: await allowedPath(policy, path),
  settings: settingsOf(settings),
});

/** Resolves an allowed path. The engine would read a path with wildcard characters as a pattern of several files. */
export async function allowedPath(policy: FilePolicy, path: string): Promise<string> {
  const real = await policy.resolve(path);
  if (/[*?[\]{}]/.test(real)) {
    throw new ConnectorError('file-not-allowed', 'A file’s path may not hold the characters * ? [ ] { }.');
  }
  return real;
}

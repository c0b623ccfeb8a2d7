import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CommandFailure } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';

/** A file of a folder. Its path uses "/" as separator. */
export type DefinitionFile = { readonly path: string; readonly content: string };

/** Top-level folders of records. All other files and folders are ignored. */
export const topFolders = ['data-sources', 'migrations', 'projects', 'recipients', 'settings'] as const;

const depthMax = 4;
const filesMax = 5_000;
const fileBytesMax = 1_048_576;
const allBytesMax = 64 * 1_048_576;

const refused = (what: string) => new CommandFailure(what, exitCodes.failed);

/**
 * Reads the files of records in a folder: YAML and SQL, in path order. Refuses links, since they may lead out of the
 * folder. Ignores names that begin with a dot.
 *
 * @throws CommandFailure for a link, for invalid UTF-8, and for more than 5,000 files, 1 MB in one or 64 MB in all.
 */
export function readFolder(folder: string): DefinitionFile[] {
  const files: DefinitionFile[] = [];
  let bytes = 0;
  const add = (relative: string): void => {
    if (files.length >= filesMax) throw refused(`${folder} holds more than ${filesMax} files of records.`);
    const content = readSmall(path.join(folder, relative));
    bytes += Buffer.byteLength(content);
    if (bytes > allBytesMax) throw refused(`The files in ${folder} are larger than 64 MB together.`);
    files.push({ path: relative, content });
  };
  const walk = (relative: string, depth: number): void => {
    const entries = readdirSync(path.join(folder, relative), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue;
      const inside = `${relative}/${entry.name}`;
      if (entry.isSymbolicLink())
        throw refused(`${path.join(folder, inside)} is a link: links are not followed.`);
      if (entry.isDirectory() && depth < depthMax) walk(inside, depth + 1);
      else if (entry.isFile() && /\.(ya?ml|sql)$/.test(entry.name)) add(inside);
    }
  };
  for (const top of topFolders) {
    const stats = lstatSync(path.join(folder, top), { throwIfNoEntry: false });
    if (stats?.isSymbolicLink())
      throw refused(`${path.join(folder, top)} is a link: links are not followed.`);
    if (stats?.isDirectory()) walk(top, 1);
  }
  return files;
}

/** Refuses other encodings: their characters would be read and stored incorrectly. */
function textOf(bytes: Buffer, file: string): string {
  if (!isUtf8(bytes)) throw refused(`${file} is no text in UTF-8. Save it as UTF-8.`);
  return bytes.toString('utf8');
}

/** Opens the file without following a link, even if a link replaced it in the meantime. */
function readSmall(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw refused(`${file} is no file.`);
    if (stats.size > fileBytesMax) throw refused(`${file} is larger than 1 MB.`);
    return textOf(readFileSync(descriptor), file);
  } finally {
    closeSync(descriptor);
  }
}

import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isUtf8 } from '../../platform/text/index.ts';
import { documentBytesMax, documentsMax, type LeftOut, type SourceDocument } from './types.ts';

const endings = new Set(['.md', '.markdown', '.txt']);

/**
 * Reads the text files below a folder, sorted by path. Skips symbolic links, so that no path leads out of the folder, and
 * names that begin with a dot.
 *
 * @throws Error of the file system if the folder or a folder below it cannot be read.
 */
export async function readFolder(
  folder: string,
): Promise<{ readonly documents: SourceDocument[]; readonly leftOut: LeftOut[] }> {
  const documents: SourceDocument[] = [];
  const leftOut: LeftOut[] = [];
  for (const place of (await pathsBelow(folder, '')).toSorted()) {
    const content = documents.length < documentsMax ? await readText(path.join(folder, place)) : 'too-many';
    if (typeof content === 'string') leftOut.push({ path: place, reason: content });
    else documents.push({ path: place, content: content.text });
  }
  return { documents, leftOut };
}

async function pathsBelow(root: string, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
    const place = path.posix.join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) paths.push(...(await pathsBelow(root, place)));
    else if (entry.isFile() && endings.has(path.extname(entry.name).toLowerCase())) paths.push(place);
  }
  return paths;
}

/** Opens the file once and not through a link, so that the size check and the read concern the same file. */
async function readText(file: string): Promise<{ text: string } | LeftOut['reason']> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!handle) return 'unreadable';
  try {
    const { size } = await handle.stat();
    if (size > documentBytesMax) return 'too-large';
    return textOf(await handle.readFile());
  } catch {
    return 'unreadable';
  } finally {
    await handle.close();
  }
}

function textOf(bytes: Buffer): { text: string } | LeftOut['reason'] {
  if (bytes.length > documentBytesMax) return 'too-large';
  // PostgreSQL cannot store NUL in text.
  if (bytes.includes(0) || !isUtf8(bytes)) return 'not-utf-8';
  return { text: new TextDecoder().decode(bytes) };
}

import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { DecodedFile } from './decoded-file.ts';
import type { FileReading, FileSource } from './file-reading.ts';
import { FileRefusal, lastingRefusal } from './file-refusals.ts';
import type { FileSettings } from './file-settings.ts';

/** Detected reading of a file, valid until the file or its settings change. */
export type Detection = {
  /** Writes the copy that the engine reads in place of the file. Null: the engine reads the file. */
  readonly copy: ((to: DecodedFile) => Promise<void>) | null;
  /** Returns the SQL that reads the file, or its copy, at a path. */
  readonly sqlOf: (path: string) => string;
  readonly reading: FileReading;
};

const cachedMax = 200;
/**
 * Detections, or refusals in their place, by identity of the file, format and settings. They are cached because a process
 * serves several statements.
 */
const cachedResults = new Map<string, Detection | FileRefusal>();

/**
 * Returns the identity of a file and its content. The system sets the time of the last change (`ctime`) even if a program
 * restores the modification time.
 */
function identityOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join() : '';
}

/**
 * Returns the source of a file. Reads the file for a detection only if the file or its settings changed since the last one.
 * Throws a refusal that results from the content of the file again, without reading the file.
 *
 * @param format  format that the listed path gives; a link to the same file can give another one
 * @param detect  reads the file; may have written the copy
 */
export async function cachedSource(
  {
    path,
    format,
    settings,
  }: { readonly path: string; readonly format: string; readonly settings: FileSettings },
  decoded: DecodedFile,
  detect: () => Promise<Detection>,
): Promise<FileSource> {
  const identity = identityOf(path);
  const key = [path, format, identity, JSON.stringify(settings)].join('\0');
  const cached = cachedResults.get(key);
  if (cached instanceof FileRefusal) throw cached;
  const cache = (result: Detection | FileRefusal | undefined) => {
    // A file that changed during its detection may have had either content. A missing file has no identity.
    if (result === undefined || identity === '' || identity !== identityOf(path)) return;
    if (cachedResults.size >= cachedMax) cachedResults.clear();
    cachedResults.set(key, result);
  };
  if (cached !== undefined) await cached.copy?.(decoded);
  const detection =
    cached ??
    (await detect().catch((error: unknown) => {
      cache(lastingRefusal(error, basename(path)));
      throw error;
    }));
  if (cached === undefined) cache(detection);
  const { copy, sqlOf, reading } = detection;
  return { sql: sqlOf(copy === null ? path : decoded.path), reading };
}

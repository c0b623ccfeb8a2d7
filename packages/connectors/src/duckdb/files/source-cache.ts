import { statSync } from 'node:fs';
import type { DecodedFile } from './decoded-file.ts';
import type { FileReading, FileSource } from './file-reading.ts';
import type { FileSettings } from './file-settings.ts';

/** Detected reading of a file, valid until the file or its settings change. */
export type Detection = {
  /** Writes the copy that the engine reads in place of the file. Null: the engine reads the file. */
  readonly copy: ((to: DecodedFile) => Promise<void>) | null;
  /** Returns the SQL that reads the file, or its copy, at a path. */
  readonly sqlOf: (path: string) => string;
  readonly reading: FileReading;
};

const cachedDetectionsMax = 200;
/** Detections by path, size, modification time and settings. They are cached because a process serves several statements. */
const cachedDetections = new Map<string, Detection>();

/**
 * Returns the source of a file. Reads the file for a detection only if the file or its settings changed since the last one.
 * The path of the file determines its format.
 *
 * @param detect  reads the file; may have written the copy
 */
export async function cachedSource(
  path: string,
  settings: FileSettings,
  decoded: DecodedFile,
  detect: () => Promise<Detection>,
): Promise<FileSource> {
  const { size = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  const key = [path, size, mtimeMs, JSON.stringify(settings)].join('\0');
  const cached = cachedDetections.get(key);
  const detection = cached ?? (await detect());
  if (cached === undefined) {
    if (cachedDetections.size >= cachedDetectionsMax) cachedDetections.clear();
    cachedDetections.set(key, detection);
  } else await cached.copy?.(decoded);
  const { copy, sqlOf, reading } = detection;
  return { sql: sqlOf(copy === null ? path : decoded.path), reading };
}

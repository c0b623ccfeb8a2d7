import { createHash } from 'node:crypto';
import { type Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type BackupManifest, entryOf, manifestEntry, parseManifest, type TableBackup } from './manifest.ts';

/** An archive that is open for reading. */
export type OpenBackup = {
  readonly manifest: BackupManifest;
  /** The rows of a table, as `COPY` wrote them. */
  readonly rowsOf: (table: TableBackup) => Promise<Readable>;
  readonly close: () => void;
};

/** Of a manifest, which is read into memory. */
const manifestBytesMax = 16_000_000;

/**
 * Opens a backup and reads its manifest.
 *
 * @throws Error in words when the file is none, is cut short, or lacks a table that the manifest names.
 */
export async function openBackup(file: string): Promise<OpenBackup> {
  const zip = await openPromise(file, { autoClose: false }).catch((error: unknown) => {
    const { code, message } = error as { code?: string; message: string };
    throw code === undefined
      ? new Error(`The file is no backup of Svc, or is not whole: ${message.replace(/\.*$/, '.')}`)
      : new Error(`The backup cannot be read: ${message}.`);
  });
  try {
    const entries = await entriesOf(zip);
    const rowsOf = async (name: string): Promise<Readable> => {
      const entry = entries.get(name);
      if (!entry) throw new Error(`The backup is not whole: ${name} is missing.`);
      return zip.openReadStreamPromise(entry);
    };
    const head = entries.get(manifestEntry);
    if (!head || head.uncompressedSize > manifestBytesMax)
      throw new Error('The file is no backup of Svc: it has no manifest.');
    const manifest = parseManifest(await text(await rowsOf(manifestEntry)));
    return { manifest, rowsOf: (table) => rowsOf(entryOf(table)), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

/**
 * Reads every row of a backup and compares them with its manifest; writes nothing.
 *
 * @throws Error that names the first table that is not as it was written.
 */
export async function verifyBackup(
  { manifest, rowsOf }: OpenBackup,
  onTable?: (place: { readonly name: string; readonly position: number; readonly total: number }) => void,
): Promise<void> {
  const { tables } = manifest;
  for (const [index, table] of tables.entries()) {
    const name = `${table.schema}.${table.name}`;
    onTable?.({ name, position: index + 1, total: tables.length });
    const hash = createHash('sha256');
    let bytes = 0;
    const sum = new Writable({
      write(chunk: Buffer, _encoding, next) {
        hash.update(chunk);
        bytes += chunk.length;
        next();
      },
    });
    await pipeline(await rowsOf(table), sum).catch((error: unknown) => {
      throw new Error(`The backup is damaged at ${name}: ${(error as Error).message}.`);
    });
    if (bytes !== table.bytes || hash.digest('hex') !== table.sha256)
      throw new Error(`The backup is damaged: ${name} is not as it was written.`);
  }
}

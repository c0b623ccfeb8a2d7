import { createHash } from 'node:crypto';
import { type Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type BackupManifest, entryOf, manifestEntry, parseManifest, type TableBackup } from './manifest.ts';

/** An archive that is open for reading. */
export type OpenBackup = {
  readonly manifest: BackupManifest;
  /** Returns the rows of a table, as `COPY` wrote them. */
  readonly rowsOf: (table: TableBackup) => Promise<Readable>;
  readonly close: () => void;
};

/** Maximum size of a manifest, which is read into memory. */
const manifestBytesMax = 16_000_000;

/**
 * Opens a backup and reads its manifest.
 *
 * @throws Error with a message for the operator when the file is no backup, is truncated, or lacks a table of the
 * manifest.
 */
export async function openBackup(file: string): Promise<OpenBackup> {
  const zip = await openPromise(file, { autoClose: false }).catch(refuse);
  try {
    const entries = await entriesOf(zip).catch(refuse);
    const rowsOf = async (name: string): Promise<Readable> => {
      const entry = entries.get(name);
      if (!entry) throw new Error(`The backup is not whole: ${name} is missing.`);
      return zip.openReadStreamPromise(entry);
    };
    const head = entries.get(manifestEntry);
    if (!head || head.uncompressedSize > manifestBytesMax)
      throw new Error('The file is no backup of Svc: it has no manifest.');
    const bytes = await rowsOf(manifestEntry).then(buffer).catch(refuse);
    // The manifest contains the checksums of all other entries. Only its own entry has a checksum of it.
    if (crc32(bytes) !== head.crc32)
      throw new Error('The backup is damaged: its manifest is not as it was written.');
    const manifest = parseManifest(bytes.toString('utf8'));
    return { manifest, rowsOf: (table) => rowsOf(entryOf(table)), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Throws the reason for an unreadable archive. Errors of the file system have a `syscall`. */
function refuse(error: unknown): never {
  const { syscall, message } = error as NodeJS.ErrnoException;
  const reason = message.replace(/\.+$/, '');
  throw new Error(
    syscall === undefined
      ? `The file is no backup of Svc, or is not whole: ${reason}.`
      : `The backup cannot be read: ${reason}.`,
  );
}

function refuseAt(name: string, error: unknown): never {
  throw new Error(`The backup is damaged at ${name}: ${(error as Error).message.replace(/\.+$/, '')}.`);
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

/**
 * Reads every row of a backup and compares the rows with its manifest. Writes nothing.
 *
 * @throws Error that names the first table with a difference.
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
    const rows = await rowsOf(table).catch((error: unknown) => refuseAt(name, error));
    await pipeline(rows, sum).catch((error: unknown) => refuseAt(name, error));
    if (bytes !== table.bytes || hash.digest('hex') !== table.sha256)
      throw new Error(`The backup is damaged: ${name} is not as it was written.`);
  }
}

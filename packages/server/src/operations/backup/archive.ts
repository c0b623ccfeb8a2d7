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
    // It sums up everything else, and nothing but its own entry sums it up.
    if (crc32(bytes) !== head.crc32)
      throw new Error('The backup is damaged: its manifest is not as it was written.');
    const manifest = parseManifest(bytes.toString('utf8'));
    return { manifest, rowsOf: (table) => rowsOf(entryOf(table)), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Says in words why an archive cannot be read: faults of the file system name a call of it. */
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
    const rows = await rowsOf(table).catch((error: unknown) => refuseAt(name, error));
    await pipeline(rows, sum).catch((error: unknown) => refuseAt(name, error));
    if (bytes !== table.bytes || hash.digest('hex') !== table.sha256)
      throw new Error(`The backup is damaged: ${name} is not as it was written.`);
  }
}

import { chmod, stat } from 'node:fs/promises';
import path from 'node:path';
import { count, plural } from '@svc/contract/wording';
import type { Deadline } from '../../deadline.ts';
import { makeTemporaryFolder } from '../../embedded/temporary-folder.ts';
import {
  isShareAllowed,
  type WriteCounts,
  type WritePlan,
  WriteRefusal,
  type WriteSession,
} from '../../writers/port.ts';
import type { FilesEngineOptions } from '../index.ts';
import { columnsOfFile } from './describe.ts';
import { encoderOfKind, encoderOfType, type FieldEncoder, textEncoder } from './encode.ts';
import { createFilesEngine, type FilesEngine } from './engine.ts';
import { type FilePlace, type StagingFiles, stagingFiles } from './place.ts';
import { openRowSpool } from './spool.ts';
import { commitToken, createStaging, dropStaging, fileError, finishWork } from './staging.ts';
import { copyTo, counts, type FileColumn, type FileWrite, keyChecks } from './statements.ts';

type Columns = {
  readonly file: readonly { name: string; type?: string }[];
  readonly encoders: readonly FieldEncoder[];
};

/**
 * Starts a copy into a file. A spool file stores the incoming rows. The engine merges them with the existing rows into a
 * complete new file, and one rename replaces the destination.
 */
export async function startWrite(
  options: FilesEngineOptions,
  place: FilePlace,
  plan: WritePlan,
  deadline: Deadline,
): Promise<WriteSession> {
  const files = stagingFiles(path.dirname(place.path), plan.stagingName);
  const engine = createFilesEngine(options, deadline);
  const closing: (() => Promise<void> | void)[] = [() => deadline.dispose()];
  const leave = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
    await dropStaging(files);
  };
  const abandon = (): Promise<boolean> =>
    leave().then(
      () => true,
      () => false,
    );
  const explaining = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw deadline.reason() ?? fileError(error);
    }
  };
  try {
    return await explaining(async () => {
      const columns = await columnsOf(engine, place, plan);
      await createStaging(files);
      const folder = await makeTemporaryFolder(options.temporaryParent);
      closing.push(folder.remove);
      const spoolPath = path.join(folder.path, 'rows');
      const spool = await openRowSpool({
        path: spoolPath,
        columns: plan.columns,
        keyColumns: plan.keyColumns,
        encoders: columns.encoders,
        megabytesMax: options.resources.temporaryMb,
        assertGoesOn: () => deadline.signal.throwIfAborted(),
      });
      closing.push(spool.close);
      const applied = { sign: '' };
      return {
        write: (batch, refused) => explaining(() => spool.write(batch, refused)),
        flush: () => explaining(spool.flush),
        apply: () =>
          explaining(async () => {
            applied.sign = await signOf(place);
            return apply(engine, fileWrite(place, plan, columns, spoolPath), plan, files);
          }),
        commit: () =>
          explaining(async () => {
            deadline.signal.throwIfAborted();
            if ((await signOf(place)) !== applied.sign) throw changed(place);
            await commitToken(files, place.path);
          }),
        finish: () => explaining(leave),
        abandon,
      };
    });
  } catch (error) {
    await abandon();
    throw error;
  }
}

/** Returns the columns of the file, and the encoder of each column of the copy. */
async function columnsOf(engine: FilesEngine, place: FilePlace, plan: WritePlan): Promise<Columns> {
  if (!place.exists) {
    if (!plan.createsTable) throw new WriteRefusal('schema-changed', 'The file is not there.');
    const encoders = plan.columns.map(({ kind }) =>
      place.format === 'csv' ? textEncoder() : encoderOfKind(kind),
    );
    return { file: plan.columns.map(({ to }) => ({ name: to })), encoders };
  }
  const fileColumns = await columnsOfFile(engine, place);
  const encoders = plan.columns.map(({ to }) => {
    const column = fileColumns.find(({ name }) => name === to);
    if (column) return encoderOfType(column.databaseType);
    throw new WriteRefusal('schema-changed', `The destination has no column ${to} that can be written to.`);
  });
  return {
    file: fileColumns.map(({ name, databaseType }) => ({ name, type: databaseType.toUpperCase() })),
    encoders,
  };
}

/** Builds the write. Call it after the last row, because only then the width of decimals is final. */
function fileWrite(place: FilePlace, plan: WritePlan, { file, encoders }: Columns, spool: string): FileWrite {
  const fieldTypes = encoders.map(({ type }) => type());
  const columns = file.map(({ name, type }): FileColumn => {
    const at = plan.columns.findIndex(({ to }) => to === name);
    const from = at === -1 ? undefined : at;
    return { name, type: type ?? fieldTypes[at] ?? 'VARCHAR', from };
  });
  return { place, spool, fieldTypes, columns, mode: plan.mode, keyColumns: plan.keyColumns };
}

async function apply(
  engine: FilesEngine,
  write: FileWrite,
  plan: WritePlan,
  files: StagingFiles,
): Promise<WriteCounts> {
  const { place, spool } = write;
  const paths = [spool, ...(place.exists ? [place.path] : [])];
  if (plan.keyColumns.length > 0) await assertKeys(engine, write, paths);
  const rows = (await engine.run(paths, counts(write))).at(-1)?.[0] ?? [];
  const [incoming = 0, standing = 0, matched = 0, updated = 0] = rows.map(Number);
  const deleted = { Insert: 0, Upsert: 0, Truncate: standing, Sync: standing - matched }[plan.mode];
  if (plan.mode === 'Sync' && !isShareAllowed(deleted, standing, plan.deletedShareMax)) {
    throw new WriteRefusal(
      'too-many-deletes',
      `${count(deleted)} of ${plural(standing, 'row')} would be deleted, which is more than the share of ${plan.deletedShareMax} that is allowed.`,
    );
  }
  const inserted = incoming - matched;
  const written = await engine.run([...paths, files.work], copyTo(write, files.work));
  if (Number(written.at(-1)?.[0]?.[0]) !== standing - deleted + inserted) throw changed(place);
  // The new file retains the permissions of the old file.
  if (place.exists) await chmod(files.work, (await stat(place.path)).mode);
  await finishWork(files);
  return { inserted, updated, unchanged: matched - updated, deleted };
}

async function assertKeys(engine: FilesEngine, write: FileWrite, paths: readonly string[]): Promise<void> {
  const [missing = 0, doubled = 0, doubledThere = 0] = (await engine.run(paths, keyChecks(write)))
    .slice(-3)
    .map((rows) => Number(rows[0]?.[0]));
  const keys = write.keyColumns.join(', ');
  if (missing > 0) {
    throw new WriteRefusal('key-not-unique', `A row of the source has no value in a key column (${keys}).`);
  }
  if (doubled > 0) {
    throw new WriteRefusal('key-not-unique', `Two rows of the source have the same key (${keys}).`);
  }
  if (doubledThere > 0) {
    throw new WriteRefusal('key-not-unique', `Two rows of the file have the same key (${keys}).`);
  }
}

/** Returns a fingerprint of the file, which detects a change during the copy: the commit would overwrite it. */
async function signOf(place: FilePlace): Promise<string> {
  const stats = await stat(place.path, { bigint: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : 'none';
}

const changed = (place: FilePlace): WriteRefusal =>
  new WriteRefusal('schema-changed', `${path.basename(place.path)} was changed while the copy ran.`);

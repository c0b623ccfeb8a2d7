import { pipeline } from 'node:stream/promises';
import { plural } from '@svc/contract';
import { migrateJobs } from '@svc/jobs';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  isHalfRestored,
  lockRestore,
  markRestore,
  migrate,
  unmarkRestore,
  withMigrationConnection,
} from '../../platform/db/index.ts';
import { jobQueues } from '../job-queues.ts';
import { type KnownSchema, knownSchemas } from '../schemas.ts';
import { type OpenBackup, openBackup, verifyBackup } from './archive.ts';
import { countRelations, findForeignKeys, findTables, identifier, quoted } from './catalogue.ts';
import type { BackupManifest, TableBackup } from './manifest.ts';

/** Source, destination and mode of a restore. */
export type RestoreOptions = {
  /** An empty database, or one without the service. */
  readonly connection: pg.ClientConfig;
  readonly file: string;
  /** True to pause every queue: nothing runs and nothing is sent until an operator resumes it. */
  readonly asCopy: boolean;
  readonly onProgress?: (progress: RestoreProgress) => void;
};

export type RestoreProgress = {
  readonly kind: 'verifying' | 'writing';
  readonly name: string;
  readonly position: number;
  readonly total: number;
};

/**
 * Restores a backup into an empty database: verifies it, writes it in one transaction, and migrates it to this
 * version. A failure before the commit leaves the database empty. A killed process leaves a mark: no service starts
 * on it, and the next restore begins anew.
 *
 * @returns the manifest of the restored backup.
 * @throws Error with a message for the operator: for a damaged file, a newer version, a non-empty database, or
 * another running restore.
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupManifest> {
  const { connection, file, asCopy, onProgress } = options;
  const backup = await openBackup(file);
  try {
    const schemas = schemasOf(backup.manifest);
    await withMigrationConnection(connection, requireEmpty);
    await verifyBackup(backup, (place) => onProgress?.({ kind: 'verifying', ...place }));
    await withMigrationConnection(connection, async (client) => {
      await lockRestore(client);
      await requireEmpty(client);
      try {
        await clear(client);
        await markRestore(client);
        await migrateTo(client, schemas);
        await write(client, backup, { asCopy, onProgress });
      } catch (error) {
        // The database was empty before, and half of a restore is useless. This connection, which has locks on it,
        // may be lost already.
        await client.query('rollback').catch(() => undefined);
        await withMigrationConnection(connection, clear).catch(() => undefined);
        throw error;
      }
    });
    await withMigrationConnection(connection, async (client) => {
      await migrateTo(client, knownSchemas());
      await client.query('analyze');
    });
    return backup.manifest;
  } finally {
    backup.close();
  }
}

const clear = (client: pg.ClientBase): Promise<unknown> =>
  client.query('drop schema if exists svc, svc_jobs cascade');

/** Refuses a database with a service. The remains of an interrupted restore do not count. */
async function requireEmpty(client: pg.ClientBase): Promise<void> {
  if (await isHalfRestored(client)) return;
  if ((await countRelations(client)) > 0)
    throw new Error(
      'The database already holds a service. Restore into an empty database; nothing in this one was changed.',
    );
}

/** Returns this version's copies of the migration files that created the backup's schemas. */
function schemasOf(manifest: BackupManifest): readonly KnownSchema[] {
  return knownSchemas().map(({ name, migrations }) => {
    const migrationsByName = new Map(migrations.map((file) => [file.name, file]));
    const applied = manifest.schemas.find((schema) => schema.name === name)?.migrations ?? [];
    for (const { name: file, checksum } of applied) {
      const migration = migrationsByName.get(file);
      if (!migration)
        throw new Error(
          `The backup was made by a newer version (${manifest.serviceVersion}): it holds the migration ${file}. Restore it with that version.`,
        );
      if (migration.checksum !== checksum)
        throw new Error(`The migration ${file} was changed after the backup was made. Restore the file.`);
    }
    const names = new Set(applied.map((file) => file.name));
    return { name, migrations: migrations.filter((file) => names.has(file.name)) };
  });
}

async function migrateTo(client: pg.ClientBase, schemas: readonly KnownSchema[]): Promise<void> {
  for (const { name, migrations } of schemas) {
    if (name === 'svc') await migrate(client, migrations);
    else await migrateJobs(client, { schema: name, migrations });
  }
}

type Writing = Pick<RestoreOptions, 'asCopy'> & {
  readonly onProgress: RestoreOptions['onProgress'] | undefined;
};

async function write(
  client: pg.ClientBase,
  backup: OpenBackup,
  { asCopy, onProgress }: Writing,
): Promise<void> {
  const { tables, sequences } = backup.manifest;
  const here = await findTables(client);
  await requireSameTables(tables, here);
  await client.query('begin');
  // Tables refer to each other in both directions. The foreign keys are added again after all rows exist, which
  // verifies each of them.
  const keys = await findForeignKeys(client);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  await client.query(`truncate ${here.map(quoted).join(', ')}`);
  for (const table of here) await client.query(`alter table ${quoted(table)} disable trigger user`);
  for (const [index, table] of tables.entries()) {
    onProgress?.({
      kind: 'writing',
      name: `${table.schema}.${table.name}`,
      position: index + 1,
      total: tables.length,
    });
    await addPartitions(client, table, here);
    const columns = table.columns.map((name) => identifier(name)).join(', ');
    // Awaited first: a lost session emits an error on the statement's stream immediately, and the pipeline must
    // already listen.
    const source = await backup.rowsOf(table);
    const rows = client.query(copyFrom(`copy ${quoted(table)} (${columns}) from stdin`));
    await pipeline(source, rows);
    if (rows.rowCount !== table.rows)
      throw new Error(
        `Of ${table.schema}.${table.name} ${rows.rowCount} of ${plural(table.rows, 'row')} were written.`,
      );
  }
  for (const table of here) await client.query(`alter table ${quoted(table)} enable trigger user`);
  for (const sequence of sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [quoted(sequence), sequence.lastValue]);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  if (asCopy) await pauseQueues(client);
  await unmarkRestore(client);
  await client.query('commit');
}

async function requireSameTables(
  tables: readonly TableBackup[],
  here: Awaited<ReturnType<typeof findTables>>,
): Promise<void> {
  const columnsByTable = new Map(here.map((table) => [quoted(table), new Set(table.columns)]));
  for (const table of tables) {
    const columns = columnsByTable.get(quoted(table));
    const missing = table.columns.find((column) => !columns?.has(column));
    if (missing !== undefined)
      throw new Error(
        `The backup holds ${table.schema}.${table.name} with a column ${missing} that its schema does not have.`,
      );
  }
}

/** Creates the monthly partitions that only the backup has. */
async function addPartitions(
  client: pg.ClientBase,
  table: TableBackup,
  here: Awaited<ReturnType<typeof findTables>>,
): Promise<void> {
  const current = here.find(({ schema, name }) => schema === table.schema && name === table.name);
  const there = new Set(current?.partitions.map(({ name }) => name));
  for (const { name, bound } of table.partitions)
    if (!there.has(name))
      await client.query(
        `create table ${quoted({ schema: table.schema, name })} partition of ${quoted(table)} ${bound}`,
      );
}

async function pauseQueues(client: pg.ClientBase): Promise<void> {
  await client.query(
    `insert into svc_jobs.queue (name, paused_at)
      select name, now() from (
        select unnest($1::text[]) union select queue from svc_jobs.job union select queue from svc_jobs.schedule
        union select name from svc_jobs.queue) as queues (name)
      on conflict (name) do update set paused_at = coalesce(svc_jobs.queue.paused_at, excluded.paused_at)`,
    [[...jobQueues]],
  );
}

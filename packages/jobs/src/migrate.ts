import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Executor } from './executor.ts';
import { defaultSchema, quoteSchema } from './schema.ts';

const migrationsFolder = new URL('./migrations/', import.meta.url);

/** "jobs" as a number: the first half of the advisory lock under which migrations run. */
const migrationLockClass = 0x6a6f6273;

type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };

function readMigrations(): Migration[] {
  return readdirSync(migrationsFolder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, migrationsFolder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/** Where `migrateJobs` puts its tables. */
export type MigrateJobsOptions = {
  /** Name of the schema that holds the library's tables. Default `svc_jobs`. */
  readonly schema?: string;
};

/**
 * Creates the library's schema or brings it up to date: every numbered file that was not applied yet, in order, in
 * one transaction, under an advisory lock, so that any number of processes may call it at the same time.
 *
 * @param client a single connection (a `pg.Client` or a client taken from a pool), not a pool: the statements form
 *   a transaction, which this function begins and ends itself.
 * @returns names of the files that were applied now; empty when the schema was up to date.
 * @throws Error when an applied file was changed since, or when the schema was written by a newer version.
 */
export async function migrateJobs(client: Executor, options: MigrateJobsOptions = {}): Promise<string[]> {
  const schemaName = options.schema ?? defaultSchema;
  const schema = quoteSchema(schemaName);
  const migrations = readMigrations();
  await client.query('begin', []);
  try {
    await client.query("set local lock_timeout = '120s'", []);
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [migrationLockClass, schemaName]);
    await client.query(`create schema if not exists ${schema}`, []);
    await client.query(
      `create table if not exists ${schema}.migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
      [],
    );
    const { rows } = await client.query(`select name, checksum from ${schema}.migrations`, []);
    const pending = pendingMigrations(migrations, rows as { name: string; checksum: string }[]);
    for (const migration of pending) {
      await applyFile(client, migration.sql.replaceAll('__schema__', schema));
      await client.query(`insert into ${schema}.migrations (name, checksum) values ($1, $2)`, [
        migration.name,
        migration.checksum,
      ]);
    }
    await client.query('commit', []);
    return pending.map((migration) => migration.name);
  } catch (error) {
    await client.query('rollback', []).catch(() => undefined);
    throw error;
  }
}

/** Several statements in one text go only by the simple protocol, which pg uses when there are no values. */
async function applyFile(client: Executor, sql: string): Promise<void> {
  await client.query(sql);
}

function pendingMigrations(
  migrations: readonly Migration[],
  appliedRows: readonly { name: string; checksum: string }[],
): Migration[] {
  const known = new Set(migrations.map((migration) => migration.name));
  const applied = new Map(appliedRows.map((row) => [row.name, row.checksum]));
  for (const name of applied.keys()) {
    if (!known.has(name)) {
      throw new Error(
        `The job schema was written by a newer version: it holds the migration ${name}. Start that version instead.`,
      );
    }
  }
  return migrations.filter((migration) => {
    const checksum = applied.get(migration.name);
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new Error(
        `The job migration ${migration.name} was changed after it was applied. Restore the file.`,
      );
    }
    return checksum === undefined;
  });
}

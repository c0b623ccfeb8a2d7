import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** One numbered file of `packages/server/migrations`. */
export type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };

/** "svc1" as a number: the advisory lock under which migrations run, so that replicas take turns. */
const migrationLockKey = 0x73766331;

const migrationsFolder = new URL('../../../migrations/', import.meta.url);

/** Reads the numbered SQL files, in order. */
export function readMigrations(folder: URL = migrationsFolder): readonly Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/**
 * Brings the schema `svc` up to date: every file that was not applied yet, in order, all in one transaction,
 * under an advisory lock. Files are append-only: one that changed after it was applied stops the start.
 *
 * @returns names of the files that were applied now.
 * @throws Error when an applied file differs from the one in the folder, or when the database holds a
 *   migration that this version does not know (it was written by a newer one).
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  await client.query('begin');
  try {
    await client.query("set local lock_timeout = '120s'");
    await client.query('select pg_advisory_xact_lock($1)', [migrationLockKey]);
    await client.query('create schema if not exists svc');
    await client.query(
      'create table if not exists svc.migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from svc.migrations',
    );
    const pending = pendingMigrations(migrations, new Map(rows.map((row) => [row.name, row.checksum])));
    for (const migration of pending) {
      await client.query(migration.sql);
      await client.query('insert into svc.migrations (name, checksum) values ($1, $2)', [
        migration.name,
        migration.checksum,
      ]);
    }
    await client.query('commit');
    return pending.map((migration) => migration.name);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

function pendingMigrations(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): Migration[] {
  const known = new Set(migrations.map((migration) => migration.name));
  for (const name of applied.keys()) {
    if (!known.has(name)) {
      throw new Error(
        `The database was written by a newer version: it holds the migration ${name}. Start that version instead.`,
      );
    }
  }
  return migrations.filter((migration) => {
    const checksum = applied.get(migration.name);
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new Error(`The migration ${migration.name} was changed after it was applied. Restore the file.`);
    }
    return checksum === undefined;
  });
}

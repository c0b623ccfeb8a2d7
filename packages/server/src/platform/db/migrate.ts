import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type Migration, type OnMigrationProgress, openClient, runMigrations } from '@svc/jobs';
import type pg from 'pg';

export type { Migration } from '@svc/jobs';

/** "svc1" as a number: key of the advisory lock of migrations, so that replicas run them one after another. */
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
 * Brings the schema `svc` up to date. Applies every pending file in order, in one transaction, under an advisory
 * lock. A file with `-- svc: no-transaction` in its head runs outside a transaction (docs/guides/upgrading.md).
 * Files are append-only: a file that changed after its application stops the start.
 *
 * @param client A connection outside any transaction. During the call, it has no time limits.
 * @returns names of the newly applied files.
 * @throws Error when an applied file differs from the one in the folder, or when the database contains an unknown
 * migration of a newer version.
 */
export async function migrate(
  client: pg.ClientBase,
  migrations: readonly Migration[] = readMigrations(),
  onProgress?: OnMigrationProgress,
): Promise<string[]> {
  return runMigrations(client, {
    schema: 'svc',
    quotedSchema: 'svc',
    migrations,
    lock: { sql: '$1', values: [migrationLockKey] },
    words: { database: 'The database', migration: 'The migration' },
    onProgress,
    listenToNotices: (listener) => {
      const take = ({ message }: { readonly message?: string | undefined }) => listener(message ?? '');
      client.on('notice', take);
      return () => client.off('notice', take);
    },
  });
}

const connectTimeoutMs = 10_000;
/** Deadline of one statement of a migration, a backup or a restore: the rewrite of a large table takes hours. */
const longStatementTimeoutMs = 24 * 3_600_000;
/** Interval of the check that the server still executes such a statement. */
const checkEveryMs = 20_000;

/**
 * Opens a connection for long work: migrations, backup and restore. The pool's limits do not apply. A statement has
 * 24 hours. It fails about a minute after the server stopped executing it or became unreachable.
 *
 * @param connection As for the pool; its time limits are ignored.
 */
export async function withMigrationConnection<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  // A lost connection rejects the running statement. Between statements there is no receiver for the error.
  const client = openClient({
    ...connection,
    connectionTimeoutMillis: connectTimeoutMs,
    answerTimeoutMs: longStatementTimeoutMs,
    checkEveryMs,
    application_name: 'svc migrations',
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

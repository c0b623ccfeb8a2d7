import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type Migration, type OnMigrationProgress, openClient, runMigrations } from '@svc/jobs';
import type pg from 'pg';

export type { Migration } from '@svc/jobs';

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
 * Brings the schema `svc` up to date: every file that was not applied yet, in order, in one transaction, under an
 * advisory lock; `-- svc: no-transaction` in a file's head runs it outside one (docs/guides/upgrading.md). Files are
 * append-only: one that changed after it was applied stops the start.
 *
 * @param client a connection outside any transaction; while this runs, it has no limits of time.
 * @returns names of the files that were applied now.
 * @throws Error when an applied file differs from the one in the folder, or when the database holds a
 *   migration that this version does not know (it was written by a newer one).
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
/** Interval at which the server is asked whether it still executes such a statement. */
const checkEveryMs = 20_000;

/**
 * Opens a connection for work that is long by design: migrations, backup and restore. The pool's limits do not apply. A
 * statement has 24 hours, and fails about a minute after the server stopped executing it or became unreachable.
 *
 * @param connection as for the pool; its limits of time are left out.
 */
export async function withMigrationConnection<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  // A lost connection rejects the statement that runs; between statements there is nobody else to tell.
  const client = openClient({
    ...connection,
    connectionTimeoutMillis: connectTimeoutMs,
    ...{ answerTimeoutMs: longStatementTimeoutMs, checkEveryMs },
    application_name: 'svc migrations',
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

import {
  describeMigrationProgress,
  type MigrationProgress,
  migrateJobs,
  type OnMigrationProgress,
} from '@svc/jobs';
import type pg from 'pg';
import {
  migrate,
  readMigrations,
  requireNoHalfRestore,
  withMigrationConnection,
} from '../platform/db/index.ts';
import type { Logger } from '../platform/log/index.ts';

/** Brings the service's schema and the job library's up to date, on a connection of their own. */
export async function migrateSchemas(
  connection: pg.ClientConfig,
  onProgress: OnMigrationProgress,
): Promise<void> {
  await withMigrationConnection(connection, async (client) => {
    await requireNoHalfRestore(client);
    await migrate(client, readMigrations(), onProgress);
    await migrateJobs(client, { onProgress });
  });
}

/** Writes progress into the log; what makes somebody wait is a warning, so that it shows at any usual level. */
export const migrationLog =
  (log: Logger): OnMigrationProgress =>
  (progress) => {
    log[levelOf(progress)]({ migration: progress }, describeMigrationProgress(progress));
  };

const levelOf = (progress: MigrationProgress): 'info' | 'warn' =>
  progress.kind === 'waiting' || (progress.kind === 'running' && progress.elapsedMs > 0) ? 'warn' : 'info';

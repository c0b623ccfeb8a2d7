import { migrateJobs, type OnMigrationProgress } from '@svc/jobs';
import type pg from 'pg';
import {
  migrate,
  readMigrations,
  requireNoHalfRestore,
  withMigrationConnection,
} from '../platform/db/index.ts';

/**
 * Brings both schemas up to this version, as a start does.
 *
 * @returns how many files were applied.
 */
export const applyMigrations = (
  connection: pg.ClientConfig,
  onProgress?: OnMigrationProgress,
): Promise<number> =>
  withMigrationConnection(connection, async (client) => {
    await requireNoHalfRestore(client);
    const own = await migrate(client, readMigrations(), onProgress);
    const ofJobs = await migrateJobs(client, onProgress ? { onProgress } : {});
    return own.length + ofJobs.length;
  });

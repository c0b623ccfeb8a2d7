import { migrateJobs, type OnMigrationProgress } from '@svc/jobs';
import type pg from 'pg';
import {
  migrate,
  readMigrations,
  requireNoHalfRestore,
  withMigrationConnection,
} from '../platform/db/index.ts';

/**
 * Migrates both schemas to this version, as a start does.
 *
 * @returns the number of applied files.
 */
export const applyMigrations = (
  connection: pg.ClientConfig,
  onProgress?: OnMigrationProgress,
): Promise<number> =>
  withMigrationConnection(connection, async (client) => {
    await requireNoHalfRestore(client);
    const ofService = await migrate(client, readMigrations(), onProgress);
    const ofJobs = await migrateJobs(client, onProgress ? { onProgress } : {});
    return ofService.length + ofJobs.length;
  });

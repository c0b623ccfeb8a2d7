import { migrate, readMigrations } from '../../../server/src/platform/db/migrate.ts';
import { createDatabaseFrom, type TestDatabase } from '../database/database.ts';

let migratedKey: string | undefined;

/** Creates a database with the current schema of the service. */
export function createMigratedDatabase(): Promise<TestDatabase> {
  migratedKey ??= `migrations ${readMigrations()
    .map(({ checksum }) => checksum)
    .join(' ')}`;
  return createDatabaseFrom(migratedKey, (client) => migrate(client, readMigrations()));
}

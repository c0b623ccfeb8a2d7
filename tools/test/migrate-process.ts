import type { Migration } from '@svc/jobs';
import { migrate, withMigrationConnection } from '../../packages/server/src/platform/db/index.ts';

/** A process that migrates, for tests that kill it: its argument holds the connection and the migrations as JSON. */
const { connection, migrations } = JSON.parse(process.argv[2] ?? '') as {
  connection: Record<string, string>;
  migrations: Migration[];
};
await withMigrationConnection(connection, (client) => migrate(client, migrations));

import { text } from 'node:stream/consumers';
import type { Migration } from '@svc/jobs';
import { migrate, withMigrationConnection } from '../../packages/server/src/platform/db/index.ts';

/** A process that migrates a database, for tests that kill it. It reads the connection and the migrations as JSON. */
const { connection, migrations } = JSON.parse(await text(process.stdin)) as {
  connection: Record<string, string>;
  migrations: Migration[];
};
await withMigrationConnection(connection, (client) => migrate(client, migrations));

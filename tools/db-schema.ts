import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrateJobs } from '../packages/jobs/src/db/migrate.ts';
import { defaultSchema } from '../packages/jobs/src/db/schema.ts';
import { dumpJobsSchema } from '../packages/jobs/src/testing/dump-schema.ts';
import { startBuiltInCluster } from '../packages/server/src/platform/db/built-in/index.ts';
import { dumpSchema, tableTypes } from '../packages/server/src/platform/db/dump-schema.ts';
import { migrate } from '../packages/server/src/platform/db/migrate.ts';

/** `npm run db:schema`: regenerates the dumped schemas and the table types from the migrations. */
const server = path.join(import.meta.dirname, '../packages/server');
const cluster = await startBuiltInCluster({
  dataDirectory: mkdtempSync(path.join(os.tmpdir(), 'svc-schema-')),
});
const client = new pg.Client(cluster.admin());
await client.connect();
await migrate(client);
writeFileSync(path.join(server, 'migrations/schema.sql'), await dumpSchema(client));
const typesFile = path.join(server, 'src/platform/db/tables.generated.ts');
writeFileSync(typesFile, await tableTypes(client));
await migrateJobs(client);
const jobsSchema = path.join(import.meta.dirname, '../packages/jobs/schema');
rmSync(jobsSchema, { recursive: true, force: true });
for (const { file, content } of await dumpJobsSchema(client, defaultSchema)) {
  mkdirSync(path.dirname(path.join(jobsSchema, file)), { recursive: true });
  writeFileSync(path.join(jobsSchema, file), content);
}
await client.end();
await cluster.stop();
spawnSync(process.execPath, ['node_modules/.bin/biome', 'format', '--write', typesFile], {
  cwd: path.join(import.meta.dirname, '..'),
});
process.exit(0);

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Executor } from '../client/executor.ts';
import { defaultSchema, quoteSchema } from './schema.ts';
import type { OnMigrationProgress } from './schema-migrations/progress.ts';
import { type Migration, runMigrations } from './schema-migrations/run.ts';

const migrationsFolder = new URL('../migrations/', import.meta.url);

/** "jobs" as a number: the first half of the advisory lock under which migrations run. */
const migrationLockClass = 0x6a6f6273;

/** The library's numbered files, in order, as they are applied to a schema. Default `svc_jobs`. */
export const jobMigrations = (schema = defaultSchema): readonly Migration[] =>
  readMigrations(quoteSchema(schema));

function readMigrations(quotedSchema: string): Migration[] {
  return readdirSync(migrationsFolder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, migrationsFolder), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name, sql: sql.replaceAll('__schema__', quotedSchema), checksum };
    });
}

/** Where `migrateJobs` puts its tables. */
export type MigrateJobsOptions = {
  /** Name of the schema that holds the library's tables. Default `svc_jobs`. */
  readonly schema?: string;
  /** Told which file is applied, how far it is and how long it takes. Default: nobody is. */
  readonly onProgress?: OnMigrationProgress;
  /** The files to apply, for a schema as an earlier version had it. Default: all of `jobMigrations`. */
  readonly migrations?: readonly Migration[];
};

/**
 * Creates the library's schema or brings it up to date: every numbered file that was not applied yet, in order, in
 * one transaction, under an advisory lock, so that any number of processes may call it at the same time. Files that
 * cannot run inside a transaction are applied between two of them and may be cut short: the next call goes on.
 *
 * @param client a single connection (a `pg.Client` or a client taken from a pool), not a pool, and outside any
 *   transaction: this function begins and ends its own. Limits of time (`statement_timeout` and its like) do not hold
 *   meanwhile. A deadline of the client (`answerTimeoutMs`) applies to each file: open a client whose deadline is long.
 * @returns names of the files that were applied now; empty when the schema was up to date.
 * @throws Error when an applied file was changed since, or when the schema was written by a newer version.
 */
export async function migrateJobs(client: Executor, options: MigrateJobsOptions = {}): Promise<string[]> {
  const schema = options.schema ?? defaultSchema;
  const quotedSchema = quoteSchema(schema);
  return runMigrations(client, {
    schema,
    quotedSchema,
    migrations: options.migrations ?? readMigrations(quotedSchema),
    lock: { sql: '$1, hashtext($2)', values: [migrationLockClass, schema] },
    words: { database: 'The job schema', migration: 'The job migration' },
    onProgress: options.onProgress,
  });
}

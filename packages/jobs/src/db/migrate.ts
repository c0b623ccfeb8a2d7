import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Executor } from '../client/executor.ts';
import { defaultSchema, quoteSchema } from './schema.ts';
import type { OnMigrationProgress } from './schema-migrations/progress.ts';
import { type Migration, runMigrations } from './schema-migrations/run.ts';

const migrationsFolder = new URL('../migrations/', import.meta.url);

/** "jobs" in ASCII: the first key of the advisory lock for migrations. */
const migrationLockClass = 0x6a6f6273;

/** Returns the library's migrations in order, with the schema name inserted. Default schema `svc_jobs`. */
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

/** Options of `migrateJobs`. */
export type MigrateJobsOptions = {
  /** Name of the schema for the library's tables. Default `svc_jobs`. */
  readonly schema?: string;
  /** Called with the current file, its position and its duration. Default: no reports. */
  readonly onProgress?: OnMigrationProgress;
  /** Migrations to apply, for example those of an earlier version. Default: all of `jobMigrations`. */
  readonly migrations?: readonly Migration[];
};

/**
 * Creates or updates the library's schema. Applies every pending migration in order, in one transaction under an
 * advisory lock, so any number of processes may call it at the same time. Files that cannot run inside a transaction
 * are applied between two transactions and may be interrupted. The next call resumes them.
 *
 * @param client a single connection (a `pg.Client` or a client of a pool), not a pool, and outside any transaction. The
 *   function begins and ends its own transactions. Time limits (`statement_timeout` and similar settings) are disabled
 *   during the run. A deadline of the client (`answerTimeoutMs`) applies to each file: open a client with a long
 *   deadline.
 * @returns names of the files applied by this call; empty when the schema was up to date.
 * @throws Error when an applied file was changed, or when a newer version wrote the schema.
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

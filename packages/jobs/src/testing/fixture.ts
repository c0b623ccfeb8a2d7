import { createDatabaseFrom, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { createJobs, type Jobs, type JobsOptions } from '../client/jobs.ts';
import { migrateJobs } from '../db/migrate.ts';
import type { JobsLogger } from '../engine/logger.ts';

/** A migrated database of a test file's own, with a pool, and what was started on it. */
export type Fixture = {
  readonly database: TestDatabase;
  readonly pool: pg.Pool;
  /** Sets up the library; stopped at the end of the test file, or before by the test. */
  readonly jobs: (options?: Partial<JobsOptions>) => Jobs;
  readonly close: () => Promise<void>;
};

/** Makes a database that holds the job schema. */
export async function createFixture(): Promise<Fixture> {
  const database = await createDatabaseFrom(`jobs ${await schemaKey()}`, (client) => migrateJobs(client));
  const pool = new pg.Pool({ ...database.connection, max: 20 });
  pool.on('error', () => undefined);
  const started: Jobs[] = [];
  return {
    database,
    pool,
    jobs: (options = {}) => {
      const made = createJobs(options.connection ? options : { pool, ...options });
      started.push(made);
      return made;
    },
    close: async () => {
      await Promise.all(started.map((jobs) => jobs.stop({ timeoutMs: 1_000 })));
      await pool.end();
      await database.drop();
    },
  };
}

/** Changes with the migrations, so that an old template is not cloned. */
async function schemaKey(): Promise<string> {
  const { readdir, readFile } = await import('node:fs/promises');
  const folder = new URL('../migrations/', import.meta.url);
  const names = (await readdir(folder)).sort();
  return (await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))).join('\n');
}

const waitMsMax = 60_000;
const waitStepMs = 10;

/** Waits until `read` gives something that is neither false, null nor undefined, and returns it; fails after a minute. */
export async function eventually<T>(
  read: () => Promise<T> | T,
  what = 'the expected state',
): Promise<Exclude<T, null | undefined | false>> {
  const endMs = performance.now() + waitMsMax;
  for (;;) {
    const value = await read();
    if (value !== null && value !== undefined && value !== false) {
      return value as Exclude<T, null | undefined | false>;
    }
    if (performance.now() > endMs) throw new Error(`Waited ${waitMsMax} ms for ${what}.`);
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, waitStepMs);
    await promise;
  }
}

/** Keeps what is logged, to look at in a test. */
export function recordingLogger(): JobsLogger & { readonly lines: string[] } {
  const lines: string[] = [];
  const write = (level: string) => (details: Record<string, unknown>, message: string) => {
    lines.push(`${level} ${message} ${JSON.stringify(details)}`);
  };
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

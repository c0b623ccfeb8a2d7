import { createDatabaseFrom, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { createJobs, type Jobs, type JobsOptions } from '../client/jobs.ts';
import { migrateJobs } from '../db/migrate.ts';
import type { JobsLogger } from '../engine/logger.ts';

/** Migrated database for one test file, with a pool and the job libraries created on it. */
export type Fixture = {
  readonly database: TestDatabase;
  readonly pool: pg.Pool;
  /** Creates a job library. `stopJobs` and `close` stop it, unless the test stopped it before. */
  readonly jobs: (options?: Partial<JobsOptions>) => Jobs;
  /** Stops all job libraries, so that none of them takes part in the next test. */
  readonly stopJobs: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Creates a database with the job schema. */
export async function createFixture(): Promise<Fixture> {
  const database = await createDatabaseFrom(`jobs ${await schemaKey()}`, (client) => migrateJobs(client));
  const pool = new pg.Pool({ ...database.connection, max: 20 });
  pool.on('error', () => undefined);
  const started: Jobs[] = [];
  const stopJobs = async () => {
    await Promise.all(started.splice(0).map((jobs) => jobs.stop({ timeoutMs: 1_000 })));
  };
  return {
    database,
    pool,
    jobs: (options = {}) => {
      const made = createJobs(options.connection ? options : { pool, ...options });
      started.push(made);
      return made;
    },
    stopJobs,
    close: async () => {
      await stopJobs();
      await pool.end();
      await database.drop();
    },
  };
}

/** Returns a key that changes with the migrations, so that an outdated template database is not cloned. */
async function schemaKey(): Promise<string> {
  const { readdir, readFile } = await import('node:fs/promises');
  const folder = new URL('../migrations/', import.meta.url);
  const names = (await readdir(folder)).sort();
  return (await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))).join('\n');
}

const waitMsMax = 60_000;
const waitStepMs = 10;

/** Waits until `read` returns a value other than false, null and undefined, and returns it. Fails after a minute. */
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

/** Returns a logger that stores its lines for assertions. */
export function recordingLogger(): JobsLogger & { readonly lines: string[] } {
  const lines: string[] = [];
  const write = (level: string) => (details: Record<string, unknown>, message: string) => {
    lines.push(`${level} ${message} ${JSON.stringify(details)}`);
  };
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

import { copyIn, takesCopyIn, timedQuery } from '@svc/pg-wire';
import type pg from 'pg';
import { driverTypes } from '../db/connections.ts';

/**
 * Whatever runs one statement: a `pg` client inside the caller's transaction, a `pg` pool, or any object of the
 * same shape. Statements of the library that go through it return text, numbers of at most 32 bits and booleans
 * only, so that type parsers of the caller do not matter.
 */
export type Executor = {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
};

const int8Oid = 20;
const numericOid = 1700;

/** Type parsers of the engine's own statements, whatever the pool was set up with. */
const engineTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8Oid || oid === numericOid ? Number : driverTypes.getTypeParser(oid, format as 'text'),
};

/** One statement of the engine. */
export type Statement = {
  /** Name under which PostgreSQL stores its plan; undefined without a stored plan. */
  readonly name: string | undefined;
  readonly text: string;
  /** Deadline in ms. Default 30 s. */
  readonly answerTimeoutMs?: number | undefined;
};

/** Runs the engine's own statements. */
export type EngineDb = {
  run<Row>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Runs one or more `COPY ... FROM STDIN` with what each reads; null where the connections do not take them. */
  readonly copyIn: ((text: string, data: readonly (readonly Buffer[])[]) => Promise<void>) | null;
};

/** Default deadline of a statement. */
const queryTimeoutMs = 30_000;

/** Runs statements over a pool, prepared by name, with type parsers of the engine's own. */
export function createEngineDb(pool: pg.Pool): EngineDb {
  return {
    run: async <Row>(statement: Statement, values: unknown[]) => {
      const query = {
        ...(statement.name === undefined ? {} : { name: statement.name }),
        text: statement.text,
        values,
        types: engineTypes,
      };
      const { rows } = await pool.query(timedQuery(query, statement.answerTimeoutMs ?? queryTimeoutMs));
      return rows as Row[];
    },
    copyIn: takesCopyIn(pool) ? (text, data) => copyIn(pool, text, data, queryTimeoutMs) : null,
  };
}

/** Texts of the library that are run often enough to be worth a kept plan. */
const namesByText = new Map<string, string>();

/** Lets a statement that goes through executors be prepared by name where that is safe: on the library's own pool. */
export function markPrepared(label: string, text: string): string {
  namesByText.set(text, `svc_jobs_${namesByText.size + 1}_${label}`);
  return text;
}

/** Runs single statements on a pool; those of the library are prepared. */
export function createPoolExecutor(pool: pg.Pool): Executor {
  return {
    query: (text, values) => {
      const name = namesByText.get(text);
      return name === undefined
        ? pool.query(text, values)
        : pool.query({ name, text, ...(values && { values }) });
    },
  };
}

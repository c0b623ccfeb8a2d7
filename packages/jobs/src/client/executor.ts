import { copyIn, takesCopyIn, timedQuery } from '@svc/pg-wire';
import type pg from 'pg';
import { driverTypes } from '../db/connections.ts';

/**
 * Runs one statement: a `pg` client inside the caller's transaction, a `pg` pool, or any object of the same shape. The
 * library's statements on an executor return only text, numbers of at most 32 bits and booleans. They therefore do not
 * depend on the caller's type parsers.
 */
export type Executor = {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
};

const int8Oid = 20;
const numericOid = 1700;

/** Type parsers of the engine's statements, independent of the pool's settings. */
const engineTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8Oid || oid === numericOid ? Number : driverTypes.getTypeParser(oid, format as 'text'),
};

export type Statement = {
  /** Name of the prepared statement; undefined for a statement that is not prepared. */
  readonly name: string | undefined;
  readonly text: string;
  /** Deadline in ms. Default 30 s. */
  readonly answerTimeoutMs?: number | undefined;
};

/** Runs the engine's own statements. */
export type EngineDb = {
  run<Row>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Runs one or more `COPY ... FROM STDIN` statements with their data; null where the connections do not support them. */
  readonly copyIn: ((text: string, data: readonly (readonly Buffer[])[]) => Promise<void>) | null;
};

/** Default deadline of a statement. */
const queryTimeoutMs = 30_000;

/** Runs statements on a pool, prepared by name, with the engine's type parsers. */
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

/** Names of prepared statements by statement text. */
const namesByText = new Map<string, string>();

/** Registers a statement to be prepared by name. Only the executor of the library's own pool prepares it. */
export function markPrepared(label: string, text: string): string {
  namesByText.set(text, `svc_jobs_${namesByText.size + 1}_${label}`);
  return text;
}

/** Runs single statements on a pool. Statements registered with `markPrepared` are prepared. */
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

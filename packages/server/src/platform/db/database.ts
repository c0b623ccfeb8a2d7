import { isNamed, NamedStatement, runNamed } from '@svc/pg-wire';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { createPipelines } from './pipelines.ts';
import { metadataTypes } from './pool.ts';
import type { Tables } from './tables.generated.ts';

/** A statement with its values. */
export type Statement = pg.QueryConfig;

/** Executes statements: the pool outside a transaction, the connection inside one. */
export type Queryable = {
  query<R extends pg.QueryResultRow = pg.QueryResultRow>(
    statement: Statement | string,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>>;
};

/** Executor for stores: named `pg` statements by `query`, ordinary SQL by `kysely`, over the same connection. */
export type Executor = Queryable & { readonly kysely: Kysely<SvcTables> };

/** An open transaction. Services open one and pass it on. No network call is made inside. */
export type Tx = Executor & { readonly isTransaction: true };

/** Tables by their qualified names. */
export type SvcTables = { [K in keyof Tables as `svc.${K}`]: Tables[K] };

/** Executes a statement with its values. */
export type RunStatement = <R extends pg.QueryResultRow>(statement: Statement) => Promise<pg.QueryResult<R>>;

/**
 * Named, short, read-only statements of one turn of the event loop that share one write. Unnamed statements are
 * sent alone.
 */
export type Lookups = {
  /** Coalesces: sends the statement with the next named statement of the same turn, or alone if none follows. */
  readonly coalesce: RunStatement;
  /**
   * Sends the statement immediately, together with all coalesced statements, even if the pool is otherwise idle.
   * Use it where client and server share a machine: one write then costs less than parallel execution saves.
   */
  readonly flush: RunStatement;
};

/** The metadata database. */
export type Database = Executor & {
  readonly pool: pg.Pool;
  readonly lookups: Lookups;
  /**
   * Executes `work` in a transaction. Commits when it returns, rolls back when it throws. Retries at most three
   * times after a serialization failure or a deadlock.
   */
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
};

const attemptsMax = 3;
const retryableCodes = new Set(['40001', '40P01']);

/** Wraps the pool. The caller still closes the pool. */
export function createDatabase(pool: pg.Pool): Database {
  const kysely = new Kysely<SvcTables>({ dialect: new PostgresDialect({ pool }) });
  const run = createPipelines(pool);
  const lookup = (when: 'coalesced' | 'flush') =>
    ((statement) =>
      isNamed(statement)
        ? run(new NamedStatement(statement, metadataTypes), when)
        : pool.query(statement)) as RunStatement;
  return {
    pool,
    kysely,
    lookups: { coalesce: lookup('coalesced'), flush: lookup('flush') },
    query: ((statement, values) =>
      isNamed(statement)
        ? run(new NamedStatement(statement, metadataTypes), 'ordinary')
        : pool.query(statement as string, values)) as Queryable['query'],
    transaction: async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await runTransaction(pool, work);
        } catch (error) {
          const { code } = error as { code?: string };
          if (attempt >= attemptsMax || code === undefined || !retryableCodes.has(code)) throw error;
        }
      }
    },
  };
}

async function runTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(new Transaction(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    // The pool discards a connection whose rollback failed.
    client.release(broken);
  }
}

/** A class, because V8 retains the objects behind an object literal with a getter until a full collection. */
class Transaction implements Tx {
  readonly isTransaction = true;
  readonly query: Queryable['query'];
  readonly #client: pg.PoolClient;
  #kysely: Kysely<SvcTables> | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    this.query = ((statement, values) =>
      isNamed(statement)
        ? runNamed(client, new NamedStatement(statement, metadataTypes))
        : client.query(statement as string, values)) as Queryable['query'];
  }

  /** Created on first use, because named statements do not need it. */
  get kysely(): Kysely<SvcTables> {
    this.#kysely ??= kyselyOn(this.#client);
    return this.#kysely;
  }
}

function kyselyOn(client: pg.PoolClient): Kysely<SvcTables> {
  const borrowed = { query: client.query.bind(client), release: () => undefined };
  return new Kysely<SvcTables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: async () => borrowed,
        end: async () => undefined,
      },
    }),
  });
}

/** Returns the SQLSTATE of a PostgreSQL error and the constraint that it names. */
export function databaseError(error: unknown): { code: string; constraint: string | undefined } | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return undefined;
  return { code, constraint: typeof constraint === 'string' ? constraint : undefined };
}

/** Returns true for a violation of the named unique constraint or index. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const violation = databaseError(error);
  return violation?.code === '23505' && violation.constraint === constraint;
};

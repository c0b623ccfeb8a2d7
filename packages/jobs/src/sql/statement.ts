import type { EngineDb, Statement } from '../client/executor.ts';
import { quoteSchema } from '../db/schema.ts';

/** Dependencies of the library's statements. */
export type Sql = {
  readonly db: EngineDb;
  /** Quoted schema name. */
  readonly schema: string;
  /** Unquoted schema name, also the channel of the hints. */
  readonly channel: string;
  /** Clock of a test; null means PostgreSQL's clock. */
  readonly now: () => Date | null;
};

export function createSql(db: EngineDb, schemaName: string, now: () => Date | null): Sql {
  return { db, schema: quoteSchema(schemaName), channel: schemaName, now };
}

/** Returns the channel as a string constant, for `pg_notify` inside a statement. */
export function channelLiteral(sql: Pick<Sql, 'channel'>): string {
  return `'${sql.channel.replaceAll("'", "''")}'`;
}

/**
 * Deadline in ms of a statement that starts jobs or renews their leases. A hanging renewal is retried on another
 * session before a lease of 30 s expires.
 */
export const urgentTimeoutMs = 10_000;

type Build = (schema: string, channel: string) => string;

let sequence = 0;

/**
 * Returns a statement whose text depends only on the schema. The text is built once per schema.
 *
 * @param options.isPrepared PostgreSQL caches the plan. Default true. Only for statements whose plan does not depend on
 *   the size of the table. A plan made for an empty table remains in use until the next analyze.
 * @param options.answerTimeoutMs Deadline in ms. Default 30 s.
 */
export function statement(
  label: string,
  build: Build,
  options: { readonly isPrepared?: boolean; readonly answerTimeoutMs?: number } = {},
): (sql: Sql) => Statement {
  const built = new Map<string, Statement>();
  return (sql) => {
    const cachedStatement = built.get(sql.channel);
    if (cachedStatement) return cachedStatement;
    sequence += 1;
    const made: Statement = {
      name: (options.isPrepared ?? true) ? `svc_jobs_${sequence}_${label}` : undefined,
      text: build(sql.schema, channelLiteral(sql)),
      answerTimeoutMs: options.answerTimeoutMs,
    };
    built.set(sql.channel, made);
    return made;
  };
}

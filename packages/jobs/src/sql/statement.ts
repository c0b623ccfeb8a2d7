import type { EngineDb, Statement } from '../client/executor.ts';
import { quoteSchema } from '../db/schema.ts';

/** What every statement of the library needs to run. */
export type Sql = {
  readonly db: EngineDb;
  /** The schema's name, quoted. */
  readonly schema: string;
  /** The schema's name as it is; also the channel of the wake-up hints. */
  readonly channel: string;
  /** A test's time, or null: then PostgreSQL's own decides. */
  readonly now: () => Date | null;
};

/** Puts together what statements need. */
export function createSql(db: EngineDb, schemaName: string, now: () => Date | null): Sql {
  return { db, schema: quoteSchema(schemaName), channel: schemaName, now };
}

/** The channel as a string constant, for `pg_notify` inside a statement. */
export function channelLiteral(sql: Pick<Sql, 'channel'>): string {
  return `'${sql.channel.replaceAll("'", "''")}'`;
}

/**
 * Deadline in ms of a statement that starts jobs or holds their leases. A renewal that hangs is tried again on another
 * session before a lease of 30 s expires.
 */
export const urgentTimeoutMs = 10_000;

type Build = (schema: string, channel: string) => string;

let sequence = 0;

/**
 * A statement whose text depends on the schema only: built once for each schema.
 *
 * @param options.isPrepared PostgreSQL stores the plan. Default true. Only for statements whose plan does not change
 *   with the size of the table: a plan that was made on an empty table is used until the next analyze.
 * @param options.answerTimeoutMs Deadline in ms. Default 30 s.
 */
export function statement(
  label: string,
  build: Build,
  options: { readonly isPrepared?: boolean; readonly answerTimeoutMs?: number } = {},
): (sql: Sql) => Statement {
  const built = new Map<string, Statement>();
  return (sql) => {
    const known = built.get(sql.channel);
    if (known) return known;
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

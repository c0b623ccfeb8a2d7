import { createHash } from 'node:crypto';
import type { Statement } from '../port.ts';
import type { SqlDialect } from '../sql/dialects.ts';

/** Cache of one process for facts about logins, so that not every statement queries them again. */
export type LoginCache<Connection extends object, Login> = {
  /** Returns the cached login; undefined without a recent one. */
  readonly loginOf: (connection: Connection) => Login | undefined;
  readonly storeLogin: (connection: Connection, login: Login) => void;
  /** True for a statement that this login has compiled as a query before. */
  readonly isCompiled: (connection: Connection, statement: Statement) => boolean;
  readonly storeCompiled: (connection: Connection, statement: Statement) => void;
};

/** The rights of a login are cached for ten minutes, as with the other engines. */
const loginLifetimeMs = 600_000;
const loginsMax = 500;
const statementsMax = 5_000;

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64');

/** Key of all settings of a connection: other credentials are another login. */
const keyOf = (connection: object): string => hashOf([Object.entries(connection).sort()]);

/**
 * Creates the cache for an engine whose service has no read-only sessions.
 *
 * @param marker  the dialect's marker; the types of the values are part of a statement's key
 */
export function createLoginCache<Connection extends object, Login>(
  { marker }: Pick<SqlDialect, 'marker'>,
  now: () => number = () => performance.now(),
): LoginCache<Connection, Login> {
  const logins = new Map<string, { readonly login: Login; readonly readAt: number }>();
  const compiled = new Set<string>();
  const statementKey = (connection: Connection, { sql, values = [] }: Statement): string => {
    const types = values.map((value, index) => [value.type, marker(index + 1, value)]);
    return hashOf([keyOf(connection), sql, types]);
  };
  return {
    loginOf: (connection) => {
      const cached = logins.get(keyOf(connection));
      return cached && now() - cached.readAt < loginLifetimeMs ? cached.login : undefined;
    },
    storeLogin: (connection, login) => {
      const key = keyOf(connection);
      logins.delete(key);
      logins.set(key, { login, readAt: now() });
      dropOldest(logins, loginsMax);
    },
    isCompiled: (connection, statement) => compiled.has(statementKey(connection, statement)),
    storeCompiled: (connection, statement) => {
      compiled.add(statementKey(connection, statement));
      dropOldest(compiled, statementsMax);
    },
  };
}

function dropOldest(entries: Map<string, unknown> | Set<string>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
}

import { createHash } from 'node:crypto';
import type { Statement } from '../port.ts';
import type { SqlDialect } from '../sql/dialects.ts';

/** What one process has learnt of accounts, so that not each statement asks for it again. */
export type Known<Connection extends object, Login> = {
  /** What signs in; undefined where it was not asked for lately. */
  readonly loginOf: (connection: Connection) => Login | undefined;
  readonly keepLogin: (connection: Connection, login: Login) => void;
  /** True for a statement that this account has compiled as a query before. */
  readonly isCompiled: (connection: Connection, statement: Statement) => boolean;
  readonly keepCompiled: (connection: Connection, statement: Statement) => void;
};

/** What a login is granted counts for ten minutes, as with the other engines. */
const loginLifetimeMs = 600_000;
const loginsMax = 500;
const statementsMax = 5_000;

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64');

/** Everything that a session is opened with: other credentials are another login. */
const keyOf = (connection: object): string => hashOf([Object.entries(connection).sort()]);

/**
 * What is known for an engine whose service has no read-only sessions.
 *
 * @param marker  the dialect's: a statement is told from others by the types of its values as well
 */
export function createKnown<Connection extends object, Login>(
  { marker }: Pick<SqlDialect, 'marker'>,
  now: () => number = () => performance.now(),
): Known<Connection, Login> {
  const logins = new Map<string, { readonly login: Login; readonly readAt: number }>();
  const compiled = new Set<string>();
  const statementKey = (connection: Connection, { sql, values = [] }: Statement): string => {
    const types = values.map((value, index) => [value.type, marker(index + 1, value)]);
    return hashOf([keyOf(connection), sql, types]);
  };
  return {
    loginOf: (connection) => {
      const found = logins.get(keyOf(connection));
      return found && now() - found.readAt < loginLifetimeMs ? found.login : undefined;
    },
    keepLogin: (connection, login) => {
      const key = keyOf(connection);
      logins.delete(key);
      logins.set(key, { login, readAt: now() });
      dropOldest(logins, loginsMax);
    },
    isCompiled: (connection, statement) => compiled.has(statementKey(connection, statement)),
    keepCompiled: (connection, statement) => {
      compiled.add(statementKey(connection, statement));
      dropOldest(compiled, statementsMax);
    },
  };
}

function dropOldest(kept: Map<string, unknown> | Set<string>, max: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= max) return;
    kept.delete(key);
  }
}

import { createHash } from 'node:crypto';
import type { Statement } from '../port.ts';
import type { Login } from './login.ts';
import { snowflakeMarker } from './parameters.ts';
import type { SnowflakeConnection } from './settings.ts';

/** What one process has learnt of accounts, so that not each statement asks for it again. */
export type Known = {
  /** What signs in; undefined where it was not asked for lately. */
  readonly loginOf: (connection: SnowflakeConnection) => Login | undefined;
  readonly keepLogin: (connection: SnowflakeConnection, login: Login) => void;
  /** True for a statement that this account has compiled as a query before. */
  readonly isCompiled: (connection: SnowflakeConnection, statement: Statement) => boolean;
  readonly keepCompiled: (connection: SnowflakeConnection, statement: Statement) => void;
};

/** What a role is granted counts for ten minutes, as with the other engines. */
const loginLifetimeMs = 600_000;
const loginsMax = 500;
const statementsMax = 5_000;

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64');

/** Everything that a session is opened with: other credentials are another login. */
const keyOf = (connection: SnowflakeConnection): string => hashOf([Object.entries(connection).sort()]);

export function createKnown(now: () => number = () => performance.now()): Known {
  const logins = new Map<string, { readonly login: Login; readonly readAt: number }>();
  const compiled = new Set<string>();
  const statementKey = (connection: SnowflakeConnection, { sql, values = [] }: Statement): string =>
    hashOf([keyOf(connection), sql, values.map((value, index) => snowflakeMarker(index + 1, value))]);
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

import type { Connector, ConnectorErrorCode } from '@svc/connectors';
import type { RunSql } from '../../../gateways/run-sql/index.ts';
import { refusedConnection, roleScriptFor } from '../connection.ts';
import { saysLoginMayDoMore } from '../present.ts';

/** Limits the wait for an unreachable server while saving. The source is saved anyway: the server may start later. */
const saveTestTimeoutMs = 5_000;
/** Errors that prevent saving a connection. All other errors may be temporary. */
const unfitCodes: ReadonlySet<ConnectorErrorCode> = new Set([
  'own-database',
  'destination-refused',
  'file-not-allowed',
  'invalid-settings',
  'privileged-login',
  'login-may-write',
]);

/**
 * Tests a connection before it is saved.
 *
 * @throws Refusal for a connection that no retry can make usable.
 */
export async function assertUsable(
  runSql: RunSql,
  connector: Connector,
  connection: Record<string, unknown>,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const test = await runSql.testConnection(
    { engine: connector.engine, connection },
    { signal, timeoutMs: saveTestTimeoutMs },
  );
  if (!test.isOk && unfitCodes.has(test.error.code)) {
    const isLogin = saysLoginMayDoMore(test.error.code);
    throw refusedConnection(test.error, isLogin ? roleScriptFor(connector, connection) : null);
  }
}

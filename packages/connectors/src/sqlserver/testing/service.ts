import { startSqlserver, type TestSqlserver } from '@svc/testkit/database/sqlserver.ts';
import { afterAll, beforeAll } from 'vitest';
import type { BoundValue } from '../../bound-value.ts';
import type { ExecuteOptions } from '../../port.ts';
import { createSqlserverConnector } from '../index.ts';
import type { SqlserverConnection } from '../settings.ts';

export const password = 's3cret-Passw0rd';

/** Starts a test server of SQL Server for the tests of a file. Returns functions that use it. */
export function useSqlserver() {
  const connector = createSqlserverConnector();
  let server: TestSqlserver;
  beforeAll(async () => {
    server = await startSqlserver();
  });
  afterAll(() => server.stop());

  const connectionOf = (change: Partial<SqlserverConnection> = {}): SqlserverConnection => ({
    host: server.host,
    port: server.port,
    database: 'shop',
    user: 'reader',
    password,
    tlsMode: 'Disable',
    ...change,
  });
  const optionsOf = (change: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
    dial: server.dial,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    maxRows: 1_000_000,
    maxBytes: 100_000_000,
    maxCellBytes: 1_000_000,
    ...change,
  });
  const read = (sql: string, values: readonly BoundValue[] = [], change: Partial<ExecuteOptions> = {}) =>
    connector.execute(connectionOf(), { sql, values }, optionsOf(change));

  return { server: () => server, connector, connectionOf, optionsOf, read };
}

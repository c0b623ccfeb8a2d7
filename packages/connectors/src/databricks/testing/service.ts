import { startDatabricks, type TestShop } from '@svc/testkit/database/databricks.ts';
import { createTestAuthority, type TestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { ExecuteOptions } from '../../port.ts';
import { createDatabricksConnector } from '../index.ts';

/** Starts a test server of Databricks for the tests of a file. Returns functions that use it. Each test has its own connector. */
export function useDatabricks() {
  let connector = createDatabricksConnector();
  let authority: TestAuthority;
  let server: TestShop;

  beforeAll(async () => {
    authority = await createTestAuthority();
    server = await startDatabricks(authority);
  });
  beforeEach(() => {
    connector = createDatabricksConnector();
  });
  afterAll(async () => {
    // All requests and answers of the file must match the vendor's API description.
    expect(server.faults).toEqual([]);
    await server.stop();
  });

  const connectionOf = (change: object = {}) => connector.settings.parse({ ...server.connection, ...change });
  const optionsOf = (change: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
    dial: server.dial,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    maxRows: 10_000,
    maxBytes: 10_000_000,
    maxCellBytes: 100_000,
    ...change,
  });
  const execute = (sql: string, change: Partial<ExecuteOptions> = {}, connection: object = {}) =>
    connector.execute(connectionOf(connection), { sql }, optionsOf(change));
  const outcomeOf = async (connection: object) => {
    const test = await connector.testConnection(connectionOf(connection), optionsOf());
    return test.isOk ? test.warnings.map(({ code }) => code) : test.error;
  };
  const statementsSince = async (work: () => Promise<unknown>): Promise<string[]> => {
    const before = server.submissions.length;
    await work();
    return server.submissions.slice(before).map(({ statement }) => statement);
  };

  return {
    server: () => server,
    authority: () => authority,
    connector: () => connector,
    connectionOf,
    optionsOf,
    execute,
    /** Tests a connection. Returns the codes of its warnings, or its error. */
    outcomeOf,
    /** Returns the statements that the server receives during the work. */
    statementsSince,
  };
}

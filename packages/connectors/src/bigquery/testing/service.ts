import { startBigQuery, type TestBigQuery } from '@svc/testkit/database/bigquery/server.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { BoundValue } from '../../bound-value.ts';
import type { ExecuteOptions } from '../../port.ts';
import { rowsOf } from '../../testing/results.ts';
import { createBigQueryConnector } from '../index.ts';
import type { BigQueryConnection } from '../settings.ts';

type Call = {
  readonly connection?: Partial<BigQueryConnection>;
  readonly options?: Partial<ExecuteOptions>;
  readonly values?: readonly BoundValue[];
};

/** Starts a test server of BigQuery for the tests of a file. Returns functions that use it. */
export function useBigQuery() {
  const connector = createBigQueryConnector();
  let server: TestBigQuery;
  beforeAll(async () => {
    server = await startBigQuery(await createTestAuthority());
  });
  beforeEach(() => {
    server.asked.length = 0;
  });
  afterEach(() => expect(server.faults).toEqual([]));
  afterAll(() => server.stop());

  const connection = (change: Partial<BigQueryConnection> = {}) =>
    connector.settings.parse({ ...server.connection, ...change });
  const options = (change: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
    dial: server.dial,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    maxRows: 100_000,
    maxBytes: 10_000_000,
    maxCellBytes: 10_000,
    ...change,
  });
  const execute = (sql: string, call: Call = {}) =>
    connector.execute(
      connection(call.connection),
      { sql, ...(call.values && { values: call.values }) },
      options(call.options),
    );
  const read = async (sql: string, call: Call = {}) => rowsOf(await execute(sql, call));
  /** Methods of the API that the connector has called since the test began. */
  const calledMethods = () => server.asked.map(({ method }) => method);

  return { server: () => server, connector, connection, options, execute, read, calledMethods };
}

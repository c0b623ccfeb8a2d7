import { startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { BoundValue } from '../../bound-value.ts';
import type { ExecuteOptions } from '../../port.ts';
import { rowsOf } from '../../testing/results.ts';
import { createRestConnector } from '../index.ts';
import type { RestConnection } from '../settings.ts';

type Call = {
  readonly connection?: Partial<RestConnection>;
  readonly options?: Partial<ExecuteOptions>;
  readonly values?: readonly BoundValue[];
};

/** Starts a REST API for the tests of a file. Returns functions that use it. A test begins with an empty list as answer. */
export function useRestApi() {
  const connector = createRestConnector();
  let api: TestRestApi;
  beforeAll(async () => {
    api = await startRestApi(() => ({ body: [] }));
  });
  beforeEach(() => api.answer(() => ({ body: [] })));
  afterAll(() => api.stop());

  const connection = (change: Partial<RestConnection> = {}) =>
    connector.settings.parse({
      baseUrl: api.baseUrl,
      endpoints: ['/orders', '/orders/{id}', '/people'],
      ...change,
    });
  const options = (change: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
    dial: api.dial,
    signal: new AbortController().signal,
    timeoutMs: 5_000,
    maxRows: 10_000,
    maxBytes: 1_000_000,
    maxCellBytes: 10_000,
    ...change,
  });
  const execute = (step: object | string, call: Call = {}) =>
    connector.execute(
      connection(call.connection),
      {
        sql: typeof step === 'string' ? step : JSON.stringify(step),
        ...(call.values && { values: call.values }),
      },
      options(call.options),
    );
  const read = async (step: object | string, call: Call = {}) => rowsOf(await execute(step, call));

  return { api: () => api, execute, read };
}

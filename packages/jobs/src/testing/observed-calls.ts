import { type IncomingMessage, ServerResponse } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { addEndpointObservability, type Observer, type ObserverDeps } from '../observability/observer.ts';
import type { EndpointObservabilityOptions } from '../observability/options.ts';
import { endpointIdOf } from '../observability/reads.ts';
import { createFixture, type Fixture } from './fixture.ts';

/** Default request headers of an observed call. */
export const callHeaders = { 'user-agent': 'tester/1', 'x-long': 'ä'.repeat(900), authorization: 'planted' };
const noTrace = { traceId: '', givenTraceId: null };

type Call = { status?: number; body?: string; error?: unknown; traceId?: string; headers?: object };

export const isCopy = (query: unknown) => typeof query === 'object' && query !== null && 'submit' in query;

export async function stopped(observer: Observer, pool?: pg.Pool): Promise<void> {
  await observer.stop();
  await pool?.end();
}

/** Provides a database per test file, and observed endpoints that store their calls in it. */
export function observedCalls() {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture();
  });
  afterAll(() => fixture.close());

  /** Creates an observer with one endpoint and returns functions to call it and to read its rows. */
  const observed = (
    route: string,
    deps: Partial<ObserverDeps> = {},
    configure: (options: EndpointObservabilityOptions) => void = () => undefined,
  ) => {
    const observer = addEndpointObservability({ pool: fixture.pool, ...deps }, configure);
    const begin = observer.bind({ method: 'GET', routeTemplate: route, operation: null });
    return {
      observer,
      call: (call: Call = {}) => {
        const request = { headers: call.headers ?? callHeaders, socket: {} } as IncomingMessage;
        const response = new ServerResponse(request);
        const trace = call.traceId === undefined ? noTrace : { traceId: '', givenTraceId: call.traceId };
        const observation = begin({ request, response, trace });
        observation.setRequestBody(call.body ?? '{}');
        if (call.error !== undefined) observation.setException(call.error);
        response.writeHead(call.status ?? 200).end(call.body ?? '{}');
        response.emit('close');
      },
      rows: () => fixture.jobs().endpoints.calls(endpointIdOf(`GET ${route}`), { limit: 200 }),
    };
  };

  return {
    fixture: () => fixture,
    observed,
    /** Creates a pool whose queries the test may disturb. */
    disturbedPool: (disturb: (run: () => Promise<unknown>, query: unknown) => Promise<unknown>): pg.Pool => {
      const pool = new pg.Pool({ ...fixture.database.connection, max: 2 });
      pool.on('error', () => undefined);
      const query = pool.query.bind(pool) as (config: unknown) => Promise<unknown>;
      return Object.assign(pool, { query: (config: unknown) => disturb(() => query(config), config) });
    },
    /** Creates an observer whose own first flush has ended, so the next flush is the test's. */
    idle: async (route: string, pool: pg.Pool) => {
      const endpoint = observed(route, { pool });
      await endpoint.observer.flush();
      return endpoint;
    },
  };
}

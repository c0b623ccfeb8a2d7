import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import {
  addEndpointObservability,
  answeringEndpoint,
  createEndpoints,
  type EndpointCallRecord,
  type EndpointDeclaration,
  type EndpointDetail,
  type EndpointObservabilityOptions,
  endpointIdOf,
  type Jobs,
  type JobsLogger,
  type Observer,
} from '@svc/jobs';
import type pg from 'pg';
import { createFixture, eventually, type Fixture } from '../../../../packages/jobs/src/testing/fixture.ts';

type Handler = Parameters<typeof answeringEndpoint>[0]['handler'];

export type ObservedHostOptions = {
  /** Handler of the endpoint. Default: answers `{ ok: true }`. */
  readonly handler?: Handler;
  /** Callback of the registration. */
  readonly configure?: (options: EndpointObservabilityOptions) => void;
  /** Returns the status of the response to an error of a handler. Default: 500. */
  readonly mapError?: (error: unknown) => number;
  /** Random numbers of the sampling. */
  readonly random?: () => number;
  readonly pool?: pg.Pool;
  readonly logger?: JobsLogger;
  /** Installs the middleware, the second step of the registration. Default: true. */
  readonly isInstalled?: boolean;
  readonly method?: 'GET' | 'POST';
  /** Route of the endpoint. Default: a route that no other scenario uses. */
  readonly route?: string;
  readonly endpoints?: readonly EndpointDeclaration[];
  /** Wraps each request of the host. */
  readonly around?: (response: ServerResponse, serve: () => void) => void;
};

/** A host of the job library: an HTTP server with its own routes and one mapped endpoint. */
export type ObservedHost = {
  readonly origin: string;
  /** URL of the endpoint with a value for its parameter. */
  readonly url: string;
  /** Recorded name of the endpoint: method, space, route template. */
  readonly identity: string;
  readonly observer: Observer;
  /** Sends a request to the endpoint, for POST with a JSON body. */
  send(headers?: Record<string, string>, body?: string): Promise<Response>;
  /** Waits until `count` calls are counted. Returns the stored rows, at most 200, newest first. */
  recorded(count: number): Promise<EndpointCallRecord[]>;
  detail(): Promise<EndpointDetail | null>;
};

/** The database and the hosts of one scenario file. */
export type ObservedHosts = {
  readonly fixture: Fixture;
  readonly jobs: Jobs;
  start(options?: ObservedHostOptions): Promise<ObservedHost>;
  close(): Promise<void>;
};

/** Creates a database with the library's tables. */
export async function openObservedHosts(): Promise<ObservedHosts> {
  const fixture = await createFixture();
  const jobs = fixture.jobs();
  const closers: (() => Promise<void>)[] = [];
  let sequence = 0;

  const start = async (options: ObservedHostOptions = {}): Promise<ObservedHost> => {
    sequence += 1;
    const method = options.method ?? 'POST';
    const route = options.route ?? `/things-${sequence}/{id:int}`;
    const { random, logger, mapError = () => 500 } = options;
    const observer = addEndpointObservability(
      { pool: options.pool ?? fixture.pool, ...(random && { random }), ...(logger && { logger }) },
      options.configure,
    );
    const silent = { debug() {}, info() {}, warn() {}, error() {} };
    const endpoints = createEndpoints({ jobs, logger: logger ?? silent, observer });
    endpoints.map([
      answeringEndpoint({
        method,
        route,
        operation: 'makeThing',
        parse: (value) => value,
        handler: options.handler ?? (() => ({ ok: true })),
      }),
      ...(options.endpoints ?? []),
    ]);
    const observe = endpoints.observe();
    const ownRoutes = (request: IncomingMessage, response: ServerResponse) => {
      const isOwn = ['/own', '/health', '/static/app.js'].includes(request.url ?? '');
      response.writeHead(isOwn ? 200 : 404).end(isOwn ? 'of the host' : 'not found');
    };
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      const run = () =>
        endpoints.run(request, response, (error) => {
          if (error === undefined) ownRoutes(request, response);
          else response.writeHead(mapError(error), { 'x-mapped': 'yes' }).end('mapped by the host');
        });
      endpoints.route(request, response, () =>
        options.isInstalled === false ? run() : observe(request, response, run),
      );
    };
    const { around = (_response, next) => next() } = options;
    const server = http.createServer((request, response) => around(response, () => serve(request, response)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(async () => {
      server.closeAllConnections();
      server.close();
      await observer.stop({ timeoutMs: 1_000 });
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The host listens on no port.');
    const origin = `http://127.0.0.1:${address.port}`;
    const url = `${origin}${route.replace('{id:int}', '5')}`;
    const identity = `${method} ${route.replace(':int', '')}`;
    const id = endpointIdOf(identity);
    const detail = () => jobs.endpoints.detail(id);
    return {
      origin,
      url,
      identity,
      observer,
      send: (headers = {}, body = '{"a":1}') =>
        fetch(url, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(method === 'POST' && { body }),
        }),
      recorded: async (count) => {
        await eventually(async () => {
          await observer.flush();
          return (await detail())?.totalCalls === count;
        }, `${count} recorded calls`);
        return jobs.endpoints.calls(id, { limit: 200 });
      },
      detail,
    };
  };

  return {
    fixture,
    jobs,
    start,
    close: async () => {
      for (const close of closers) await close();
      await fixture.close();
    },
  };
}

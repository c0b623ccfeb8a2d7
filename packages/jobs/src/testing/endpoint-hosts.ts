import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { silentLogger } from '../engine/logger.ts';
import { createEndpoints, type Endpoints, type EndpointsOptions } from '../http/endpoints.ts';
import { fastifyEndpoints } from '../http/fastify.ts';
import { createFixture, type Fixture } from './fixture.ts';

/** Registers hooks for tests that serve endpoints: one database, and hosts that are closed with it. */
export function endpointHosts() {
  let fixture: Fixture;
  const closers: (() => unknown)[] = [];
  beforeAll(async () => {
    fixture = await createFixture();
  });
  afterAll(async () => {
    for (const close of closers) await close();
    await fixture.close();
  });

  return {
    fixture: () => fixture,
    /** Returns endpoints that use the fixture's jobs. */
    endpoints: (options: Partial<EndpointsOptions> = {}): Endpoints =>
      createEndpoints({ jobs: fixture.jobs(), logger: silentLogger, ...options }),
    /** Returns the origin of a listening Node server. */
    serve: async (handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
      const server = http.createServer(handler);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closers.push(() => void server.close());
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('no port');
      return `http://127.0.0.1:${address.port}`;
    },
    /**
     * Returns the origin of a listening Fastify host with these endpoints. `prepare` runs before their registration,
     * `complete` after it.
     */
    serveFastify: async (
      endpoints: Endpoints,
      options: {
        readonly prepare?: (app: FastifyInstance) => void;
        readonly complete?: (app: FastifyInstance) => void;
        readonly prefix?: string;
      } = {},
    ): Promise<string> => {
      const app = fastify();
      closers.push(() => app.close());
      options.prepare?.(app);
      await app.register(
        fastifyEndpoints(endpoints),
        options.prefix === undefined ? {} : { prefix: options.prefix },
      );
      options.complete?.(app);
      return app.listen({ host: '127.0.0.1', port: 0 });
    },
  };
}

import { createServer } from 'node:http';
import {
  addEndpointObservability,
  answeringEndpoint,
  createEndpoints,
  defineJob,
  type EndpointObservabilityOptions,
  endpointIdOf,
  enqueueingEndpoint,
  type Jobs,
} from '@svc/jobs';
import type { Fixture } from '../../../jobs/src/testing/fixture.ts';

/** Input of the observed host's endpoints. */
export type Order = { readonly orderId: number; readonly password?: string };

const parseOrder = (value: unknown): Order => {
  if (typeof value !== 'object' || value === null || !('orderId' in value)) throw new Error('No order.');
  return value as Order;
};

/** Job that the observed host's endpoints enqueue. */
export const shipOrder = defineJob<Order>({ name: 'ship-order', queue: 'shipping', parse: parseOrder });

/** Host with observed endpoints: `GET /orders/{id}`, `POST /orders` (enqueues), `POST /fail`. */
export type ObservedHost = {
  readonly origin: string;
  readonly jobs: Jobs;
  /** Stores all recorded calls. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Ids of the host's endpoints in the dashboard's API. */
export const endpointIds = {
  read: endpointIdOf('GET /orders/{id}'),
  create: endpointIdOf('POST /orders'),
  fail: endpointIdOf('POST /fail'),
};

/** Starts a host that serves and observes the endpoints in a process without workers. */
export async function startObservedHost(
  fixture: Fixture,
  configure: (options: EndpointObservabilityOptions) => void = () => undefined,
): Promise<ObservedHost> {
  const jobs = fixture.jobs();
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const observer = addEndpointObservability({ pool: fixture.pool }, (options) => {
    options.groupSelector = (request) => request.headers['x-team']?.toString();
    options.userName = (request) => request.headers['x-user']?.toString();
    options.enrich = (_request, tags) => void tags.set('region', 'eu');
    configure(options);
  });
  const endpoints = createEndpoints({ jobs, logger, observer });
  endpoints.map([
    answeringEndpoint({
      method: 'GET',
      route: '/orders/{id:int}',
      parse: (value) => value,
      handler: ({ params }) => ({ id: params['id'] }),
    }),
    answeringEndpoint({
      method: 'POST',
      route: '/fail',
      parse: (value) => value,
      handler: () => {
        throw new TypeError('The warehouse is closed.');
      },
    }),
    enqueueingEndpoint({ method: 'POST', route: '/orders', job: shipOrder }),
  ]);
  const server = createServer((request, response) => endpoints.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    jobs,
    flush: () => observer.flush(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await observer.stop();
    },
  };
}

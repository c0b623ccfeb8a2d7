import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Jobs } from '../client/jobs.ts';
import { runInJobContext } from '../context.ts';
import type { JobsLogger } from '../engine/logger.ts';
import { JobsError } from '../errors.ts';
import type { Observer } from '../observability/observer.ts';
import type { EndpointDeclaration } from './declare-endpoint.ts';
import { createEndpointMap, type MapOptions } from './endpoint-map.ts';
import { openApiPaths } from './openapi.ts';
import { nodeTransport, sendProblem } from './send-answer.ts';
import { sendFailure } from './send-failure.ts';
import {
  type BoundRoute,
  beginObserving,
  bindRoute,
  createMatch,
  createServe,
  type Match,
} from './serve-endpoint.ts';

/** Continues with the host's next handler, or with its error handler. */
export type Next = (error?: unknown) => void;
/** Middleware for Node, Express or Fastify. */
export type NodeMiddleware = (request: IncomingMessage, response: ServerResponse, next?: Next) => void;

/** HTTP endpoints of one process. */
export type Endpoints = {
  /**
   * Maps the declarations of exactly this group (undefined: those without a group) under a prefix. If one of them
   * enqueues jobs, the status route is mapped too.
   *
   * @throws JobsError `InvalidDeclaration` when the group is already mapped, or two routes are equal.
   */
  map(declarations: readonly EndpointDeclaration[], options?: MapOptions): void;
  /** Finds the mapped endpoint of a request. Other requests continue unchanged. */
  readonly route: NodeMiddleware;
  /**
   * Returns the middleware that observes requests to mapped endpoints and ignores other requests. Install it after
   * `route`.
   *
   * @throws JobsError `NotRegistered` when endpoint observability was not registered.
   */
  observe(): NodeMiddleware;
  /** Runs the handler of the endpoint that `route` found. */
  readonly run: NodeMiddleware;
  /**
   * Runs all steps, with observation where it is registered. Without `next`, an unmapped request receives 404, and an
   * error 500, or 503 while the database is unavailable.
   */
  readonly handle: NodeMiddleware;
  /** Returns all mapped endpoints in the form `GET /orders/{id}`. */
  list(): readonly string[];
  /** Returns the `paths` of the mapped endpoints, for the host's OpenAPI 3.1 document. */
  openApiPaths(): Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Returns all mapped endpoints separately, for a host with its own router. */
  routes(): readonly BoundRoute[];
};

export type EndpointsOptions = {
  readonly jobs: Pick<Jobs, 'enqueue' | 'executor' | 'get'>;
  /** Recorder of calls, created by `addEndpointObservability`. Default none. */
  readonly observer?: Observer;
  readonly logger: JobsLogger;
  /** Route of a job's status, under the prefix; null: no route. Default `/jobs/{jobId:guid}`. */
  readonly statusRoute?: string | null;
};

const statusRouteDefault = '/jobs/{jobId:guid}';

function sendNotFound(response: ServerResponse): void {
  sendProblem(nodeTransport, response, 404, 'There is no such endpoint.');
}

/** Creates the endpoints of a process. No endpoint is mapped yet. */
export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { jobs, observer, logger } = options;
  const statusRoute = options.statusRoute === undefined ? statusRouteDefault : options.statusRoute;
  const endpoints = createEndpointMap({ jobs, observer: observer ?? null, statusRoute });
  const matches = new WeakMap<IncomingMessage, Match>();
  const serve = createServe({ jobs, logger });

  const find = (request: IncomingMessage, response: ServerResponse): Match | null => {
    const url = request.url ?? '/';
    const at = url.indexOf('?');
    const match = endpoints.find(request.method, at < 0 ? url : url.slice(0, at));
    return match && createMatch(match.route, request, response, match.params);
  };

  const observe: NodeMiddleware = (request, response, next) => {
    const match = matches.get(request);
    // A second installation of the middleware must not record a call twice.
    if (match && !match.observation) beginObserving(match, response);
    next?.();
  };

  const runMatch = (match: Match, response: ServerResponse, next?: Next) => {
    const fail = (error: unknown) =>
      next ? next(error) : sendFailure(response, match.mapped.key, error, logger);
    let served: unknown;
    try {
      served = runInJobContext(match.served.trace, serve, match, nodeTransport, response);
    } catch (error) {
      fail(error);
      return;
    }
    if (served instanceof Promise) served.catch(fail);
  };

  return {
    map: endpoints.map,
    route: (request, response, next) => {
      const match = find(request, response);
      if (match) matches.set(request, match);
      if (next) next();
      else if (!match) sendNotFound(response);
    },
    observe: () => {
      if (!observer) {
        throw new JobsError(
          'NotRegistered',
          'Endpoint observability is not registered: pass what addEndpointObservability returns to createEndpoints as `observer`, then install the middleware.',
        );
      }
      return observe;
    },
    run: (request, response, next) => {
      const match = matches.get(request);
      if (match) runMatch(match, response, next);
      else next?.();
    },
    handle: (request, response, next) => {
      const match = find(request, response);
      if (match) {
        beginObserving(match, response);
        runMatch(match, response, next);
      } else if (next) next();
      else sendNotFound(response);
    },
    list: endpoints.keys,
    openApiPaths: () => openApiPaths(endpoints.all()),
    routes: () => endpoints.all().map((mapped) => bindRoute(mapped, serve)),
  };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Jobs } from '../client/jobs.ts';
import { runInJobContext } from '../context.ts';
import { isDatabaseAway } from '../db/database-away.ts';
import type { JobsLogger } from '../engine/logger.ts';
import { errorText, JobsError } from '../errors.ts';
import type { Observer } from '../observability/observer.ts';
import { type EndpointDeclaration, endpointMethods } from './declare-endpoint.ts';
import { jobStatusEndpoint } from './job-status.ts';
import { openApiPaths } from './openapi.ts';
import { createRouteTable } from './route-table.ts';
import { parseRouteTemplate } from './route-template.ts';
import { nodeTransport, sendProblem } from './send-answer.ts';
import {
  type BoundRoute,
  beginObserving,
  bindRoute,
  createMatch,
  createServe,
  type Mapped,
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
  map(
    declarations: readonly EndpointDeclaration[],
    options?: { readonly group?: string; readonly prefix?: string },
  ): void;
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

const retryAfterSeconds = '5';
const statusRouteDefault = '/jobs/{jobId:guid}';

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { observer } = options;
  const statusRoute = options.statusRoute === undefined ? statusRouteDefault : options.statusRoute;
  const mappedByKey = new Map<string, Mapped>();
  const table = createRouteTable<Mapped>();
  const groups = new Set<string>();
  const enqueuedNames = new Set<string>();
  const matches = new WeakMap<IncomingMessage, Match>();
  const serve = createServe(options);

  const find = (request: IncomingMessage, response: ServerResponse): Match | null => {
    const url = request.url ?? '/';
    const at = url.indexOf('?');
    const match = table.find(request.method, at < 0 ? url : url.slice(0, at));
    return match && createMatch(match.route, request, response, match.params);
  };

  const route: NodeMiddleware = (request, response, next) => {
    const match = find(request, response);
    if (match) matches.set(request, match);
    if (next) next();
    else if (!match) sendProblem(nodeTransport, response, 404, 'There is no such endpoint.');
  };

  const observing: NodeMiddleware = (request, response, next) => {
    const match = matches.get(request);
    // A second installation of the middleware must not record a call twice.
    if (match && !match.observation) beginObserving(match, response);
    next?.();
  };

  const failed = (match: Match, response: ServerResponse, error: unknown, next: Next | undefined) => {
    if (next) {
      next(error);
      return;
    }
    options.logger.error({ endpoint: match.mapped.key, error: errorText(error) }, 'an endpoint failed');
    if (isDatabaseAway(error)) {
      const detail = 'The database of the jobs does not answer at the moment. Try again in a few seconds.';
      sendProblem(nodeTransport, response, 503, detail, { 'retry-after': retryAfterSeconds });
      return;
    }
    sendProblem(nodeTransport, response, 500, 'The request could not be served.');
  };

  const runMatch = (match: Match, response: ServerResponse, next?: Next) => {
    let served: unknown;
    try {
      served = runInJobContext(match.served.trace, serve, match, nodeTransport, response);
    } catch (error) {
      failed(match, response, error, next);
      return;
    }
    if (served instanceof Promise) served.catch((error: unknown) => failed(match, response, error, next));
  };

  const add = (declaration: EndpointDeclaration, prefix: string, statusPath: Mapped['statusPath']) => {
    const template = parseRouteTemplate(`${prefix}${declaration.route}`);
    const { method } = declaration;
    const key = `${method} ${template.identity}`;
    if (mappedByKey.has(key)) throw new JobsError('InvalidDeclaration', `${key} is mapped already.`);
    const observed = { method, routeTemplate: template.identity, operation: declaration.operation ?? null };
    const mapped: Mapped = {
      declaration,
      template,
      key,
      statusPath,
      takesBody: method !== 'GET' && method !== 'DELETE',
      beginObservation: observer?.bind(observed) ?? null,
    };
    mappedByKey.set(key, mapped);
    table.add(method, template, mapped);
  };

  const mapStatus = (prefix: string): Mapped['statusPath'] => {
    if (statusRoute === null) return null;
    const { identity } = parseRouteTemplate(`${prefix}${statusRoute}`);
    if (!mappedByKey.has(`GET ${identity}`)) {
      add(jobStatusEndpoint(options.jobs, statusRoute, enqueuedNames), prefix, null);
    }
    return (jobId) => identity.replace('{jobId}', jobId);
  };

  return {
    map: (declarations, mapOptions = {}) => {
      const group = mapOptions.group ?? '';
      const prefix = mapOptions.prefix ?? '';
      const groupKey = `${prefix} ${group}`;
      if (groups.has(groupKey)) {
        throw new JobsError('InvalidDeclaration', `The group ${JSON.stringify(group)} is mapped already.`);
      }
      groups.add(groupKey);
      for (const declaration of declarations) {
        if ((declaration.group ?? '') !== group) continue;
        if (!endpointMethods.includes(declaration.method)) {
          throw new JobsError('InvalidDeclaration', `${declaration.method} is no method of an endpoint.`);
        }
        if (declaration.mode === 'Enqueue') enqueuedNames.add(declaration.job.name);
        add(declaration, prefix, declaration.mode === 'Enqueue' ? mapStatus(prefix) : null);
      }
    },
    route,
    observe: () => {
      if (!observer) {
        throw new JobsError(
          'NotRegistered',
          'Endpoint observability is not registered: pass what addEndpointObservability returns to createEndpoints as `observer`, then install the middleware.',
        );
      }
      return observing;
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
      else sendProblem(nodeTransport, response, 404, 'There is no such endpoint.');
    },
    list: () => [...mappedByKey.keys()],
    openApiPaths: () => openApiPaths([...mappedByKey.values()]),
    routes: () => [...mappedByKey.values()].map((mapped) => bindRoute(mapped, serve)),
  };
}

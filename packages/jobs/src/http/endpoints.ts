import type { IncomingMessage, ServerResponse } from 'node:http';
import { runInJobContext } from '../context.ts';
import type { JobsLogger } from '../engine/logger.ts';
import { errorText, JobsError } from '../errors.ts';
import type { Jobs } from '../jobs.ts';
import type { Observation, ObservedRequest, Observer } from '../observability/observer.ts';
import { type EndpointDeclaration, EndpointRefusal, endpointMethods } from './declare-endpoint.ts';
import { jobStatusEndpoint, mountPath } from './job-status.ts';
import { openApiPaths } from './openapi.ts';
import { readJsonBody } from './read-body.ts';
import { createRouteTable } from './route-table.ts';
import { parseRouteTemplate, type RouteTemplate } from './route-template.ts';
import { sendAnswer, sendProblem } from './send-answer.ts';
import { ServedRequest } from './served-request.ts';

/** Continues with the host's next handler, or its error handler. */
export type Next = (error?: unknown) => void;
/** A handler of Node's, Express's or Fastify's middleware kind. */
export type NodeMiddleware = (request: IncomingMessage, response: ServerResponse, next?: Next) => void;

/** HTTP endpoints of one process. */
export type Endpoints = {
  /**
   * Maps the declarations of exactly this group (undefined: those of none) under a prefix. Where one of them enqueues,
   * the route of the status URLs is mapped beside them.
   *
   * @throws JobsError `InvalidDeclaration` when the group was mapped before, or two routes are the same.
   */
  map(
    declarations: readonly EndpointDeclaration[],
    options?: { readonly group?: string; readonly prefix?: string },
  ): void;
  /** Finds the mapped endpoint of a request; the others go on untouched. */
  readonly route: NodeMiddleware;
  /**
   * The middleware that observes requests to mapped endpoints and does nothing for others; installed after `route`.
   *
   * @throws JobsError `NotRegistered` when endpoint observability was not registered.
   */
  observe(): NodeMiddleware;
  /** Runs the handler of the endpoint that was found. */
  readonly run: NodeMiddleware;
  /**
   * The steps in a row, with observing where it is registered; without `next`, what is not mapped is answered with 404
   * and errors with 500.
   */
  readonly handle: NodeMiddleware;
  /** Every mapped endpoint, as `GET /orders/{id}`. */
  list(): readonly string[];
  /** The `paths` of the mapped endpoints, for the host's OpenAPI 3.1 document. */
  openApiPaths(): Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Method and path template of every mapped endpoint, for a host that routes by itself. */
  routes(): readonly { readonly method: string; readonly template: RouteTemplate }[];
};

export type EndpointsOptions = {
  readonly jobs: Pick<Jobs, 'enqueue' | 'executor' | 'get'>;
  /** Records calls: what `addEndpointObservability` returned. Default none. */
  readonly observer?: Observer;
  readonly logger: JobsLogger;
  /** Route of the status of an enqueued job, under the prefix; null: none. Default `/jobs/{jobId:guid}`. */
  readonly statusRoute?: string | null;
};

type Mapped = {
  readonly declaration: EndpointDeclaration;
  readonly template: RouteTemplate;
  readonly key: string;
  /** Path of a job's status, to be completed with its id; null without. */
  readonly statusPath: ((jobId: string) => string) | null;
  readonly takesBody: boolean;
  readonly beginObservation: ((observed: ObservedRequest) => Observation) | null;
};
type Match = {
  readonly mapped: Mapped;
  readonly served: ServedRequest;
  observation: Observation | null;
};

const statusRouteDefault = '/jobs/{jobId:guid}';

/** Sets up HTTP endpoints. */
export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { observer } = options;
  const statusRoute = options.statusRoute === undefined ? statusRouteDefault : options.statusRoute;
  const mappedByKey = new Map<string, Mapped>();
  const table = createRouteTable<Mapped>();
  const groups = new Set<string>();
  const enqueuedNames = new Set<string>();
  const matches = new WeakMap<IncomingMessage, Match>();

  const find = (request: IncomingMessage, response: ServerResponse): Match | null => {
    const url = request.url ?? '/';
    const at = url.indexOf('?');
    const found = table.find(request.method, at < 0 ? url : url.slice(0, at));
    if (!found) return null;
    const served = new ServedRequest(request, response, found.params, at < 0 ? '' : url.slice(at + 1));
    return { mapped: found.route, served, observation: null };
  };

  const route: NodeMiddleware = (request, response, next) => {
    const match = find(request, response);
    if (match) matches.set(request, match);
    if (next) next();
    else if (!match) sendProblem(response, 404, 'There is no such endpoint.');
  };

  const beginObserving = (match: Match, request: IncomingMessage, response: ServerResponse) => {
    match.observation =
      match.mapped.beginObservation?.({ request, response, traceId: () => match.served.traceId }) ?? null;
  };

  const observing: NodeMiddleware = (request, response, next) => {
    const match = matches.get(request);
    // Installed twice it still records once.
    if (match && !match.observation) beginObserving(match, request, response);
    next?.();
  };

  const serve = async (match: Match, request: IncomingMessage, response: ServerResponse) => {
    const { mapped, served } = match;
    const { declaration } = mapped;
    if (mapped.takesBody) {
      served.body = await readJsonBody(request, (text) => match.observation?.setRequestBody(text));
    }
    const bound = declaration.bind
      ? declaration.bind(served)
      : mapped.takesBody
        ? served.body
        : served.values;
    served.input = parseInput(declaration, bound);
    if (declaration.mode === 'Enqueue') {
      await enqueue(mapped, declaration, served, response);
      return;
    }
    const value = await declaration.handler(served);
    if (response.writableEnded) return;
    const presented = declaration.present ? declaration.present(value) : value;
    await sendAnswer(response, presented, () => served.signal);
  };

  const enqueue = async (
    mapped: Mapped,
    declaration: Extract<EndpointDeclaration, { mode: 'Enqueue' }>,
    served: ServedRequest,
    response: ServerResponse,
  ) => {
    const own = declaration.options?.(served) ?? {};
    const { jobId } = await options.jobs.enqueue(options.jobs.executor, declaration.job, served.input, own);
    const statusUrl = mapped.statusPath && `${mountPath(served.raw)}${mapped.statusPath(jobId)}`;
    response.statusCode = 202;
    response.setHeader('content-type', 'application/json; charset=utf-8');
    if (statusUrl !== null) response.setHeader('location', statusUrl);
    response.end(JSON.stringify(statusUrl === null ? { jobId } : { jobId, statusUrl }));
  };

  const fail = (match: Match, response: ServerResponse, error: unknown, next: Next | undefined) => {
    if (error instanceof EndpointRefusal && !response.headersSent) {
      sendProblem(response, error.status, error.message);
      return;
    }
    match.observation?.setException(error);
    if (response.headersSent) {
      // Too late for a status: the connection ends, so that the client does not take a part for the whole.
      options.logger.error(
        { endpoint: match.mapped.key, error: errorText(error) },
        'an endpoint failed while answering',
      );
      response.destroy();
    } else if (next) {
      next(error);
    } else {
      options.logger.error({ endpoint: match.mapped.key, error: errorText(error) }, 'an endpoint failed');
      sendProblem(response, 500, 'The request could not be served.');
    }
  };

  const runMatch = (match: Match, request: IncomingMessage, response: ServerResponse, next?: Next) => {
    // The served request is a context: its trace id is made when something is enqueued.
    runInJobContext(match.served, () => {
      serve(match, request, response).catch((error: unknown) => fail(match, response, error, next));
    });
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
      if (match) runMatch(match, request, response, next);
      else next?.();
    },
    handle: (request, response, next) => {
      const match = find(request, response);
      if (match) {
        beginObserving(match, request, response);
        runMatch(match, request, response, next);
      } else if (next) next();
      else sendProblem(response, 404, 'There is no such endpoint.');
    },
    list: () => [...mappedByKey.keys()],
    openApiPaths: () => openApiPaths([...mappedByKey.values()]),
    routes: () =>
      [...mappedByKey.values()].map(({ declaration, template }) => ({
        method: declaration.method,
        template,
      })),
  };
}

/** A payload that the declaration refuses is the caller's mistake. */
function parseInput(declaration: EndpointDeclaration, bound: unknown): unknown {
  try {
    return declaration.mode === 'Answer' ? declaration.parse(bound) : declaration.job.parse(bound);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'It was refused.';
    throw new EndpointRefusal(400, reason, { cause: error });
  }
}

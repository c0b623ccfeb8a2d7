import type { IncomingMessage, ServerResponse } from 'node:http';
import { runInJobContext, traceIdFromTraceparent } from '../context.ts';
import type { JobsLogger } from '../engine/logger.ts';
import { errorText, JobsError } from '../errors.ts';
import type { Jobs } from '../jobs.ts';
import type { Observation, Observer } from '../observability/observer.ts';
import {
  type EndpointDeclaration,
  EndpointRefusal,
  type EndpointRequest,
  endpointMethods,
} from './declare-endpoint.ts';
import { readJsonBody } from './read-body.ts';
import { parseRouteTemplate, type RouteTemplate } from './route-template.ts';
import { sendAnswer, sendProblem } from './send-answer.ts';

/** Continues with the host's next handler, or its error handler. */
export type Next = (error?: unknown) => void;
/** A handler of Node's, Express's or Fastify's middleware kind. */
export type NodeMiddleware = (request: IncomingMessage, response: ServerResponse, next?: Next) => void;

/** HTTP endpoints of one process. */
export type Endpoints = {
  /**
   * Maps the declarations of exactly this group (undefined: those of none) under a prefix.
   *
   * @throws JobsError `InvalidDeclaration` when the group was mapped before, or two routes are the same.
   */
  map(
    declarations: readonly EndpointDeclaration[],
    options?: { readonly group?: string; readonly prefix?: string },
  ): void;
  /** Finds the mapped endpoint of a request; the others go on untouched. */
  readonly route: NodeMiddleware;
  /** Observes requests to mapped endpoints; after `route`. Fails to be installed without an observer. */
  readonly observe: NodeMiddleware;
  /** Runs the handler of the endpoint that was found. */
  readonly run: NodeMiddleware;
  /** The three in a row; without `next`, what is not mapped is answered with 404 and errors with 500. */
  readonly handle: NodeMiddleware;
  /** Every mapped endpoint, as `GET /orders/{id}`. */
  list(): readonly string[];
};

export type EndpointsOptions = {
  readonly jobs: Pick<Jobs, 'enqueue' | 'executor'>;
  /** Records calls; see `createObserver`. Default none. */
  readonly observer?: Observer;
  readonly logger: JobsLogger;
};

type Mapped = {
  readonly declaration: EndpointDeclaration;
  readonly template: RouteTemplate;
  readonly key: string;
};
type Match = {
  readonly mapped: Mapped;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly traceId: string;
  observation: Observation | null;
};

/** Sets up HTTP endpoints. */
export function createEndpoints(options: EndpointsOptions): Endpoints {
  const mappedByKey = new Map<string, Mapped>();
  const groups = new Set<string>();
  const matches = new WeakMap<IncomingMessage, Match>();

  const find = (request: IncomingMessage): Match | null => {
    const url = request.url ?? '/';
    const at = url.indexOf('?');
    const path = at < 0 ? url : url.slice(0, at);
    for (const mapped of mappedByKey.values()) {
      if (mapped.declaration.method !== request.method) continue;
      const params = mapped.template.match(path);
      if (!params) continue;
      const header = request.headers['traceparent'];
      return {
        mapped,
        params,
        query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
        traceId: traceIdFromTraceparent(typeof header === 'string' ? header : undefined),
        observation: null,
      };
    }
    return null;
  };

  const isObserved = options.observer !== undefined;

  const route: NodeMiddleware = (request, response, next) => {
    const match = find(request);
    if (match) matches.set(request, match);
    if (next) next();
    else if (!match) sendProblem(response, 404, 'There is no such endpoint.');
  };

  const observe: NodeMiddleware = (request, response, next) => {
    if (!options.observer) {
      throw new JobsError('InvalidOptions', 'Observing needs an observer: createEndpoints({ observer }).');
    }
    const match = matches.get(request);
    if (match) {
      match.observation = options.observer.begin(request, response, {
        method: match.mapped.declaration.method,
        routeTemplate: match.mapped.template.identity,
        operation: match.mapped.declaration.operation ?? null,
        traceId: match.traceId,
      });
    }
    next?.();
  };

  const serve = async (match: Match, request: IncomingMessage, response: ServerResponse) => {
    const { declaration } = match.mapped;
    const controller = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) controller.abort(new Error('The client went away.'));
    });
    const takesBody = declaration.method !== 'GET' && declaration.method !== 'DELETE';
    const body = takesBody
      ? await readJsonBody(request, (text) => match.observation?.setRequestBody(text))
      : undefined;
    const unparsed = {
      params: match.params,
      query: match.query,
      headers: request.headers,
      traceId: match.traceId,
      signal: controller.signal,
      raw: request,
    };
    const bound = declaration.bind
      ? declaration.bind({ ...unparsed, body })
      : takesBody
        ? body
        : { ...Object.fromEntries(match.query), ...match.params };
    const endpointRequest = { ...unparsed, input: parseInput(declaration, bound) };
    const value =
      declaration.mode === 'Answer'
        ? await declaration.handler(endpointRequest)
        : await enqueue(declaration, endpointRequest);
    if (declaration.mode === 'Enqueue') {
      response.writeHead(202, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(value));
    } else if (!response.writableEnded) {
      await sendAnswer(response, value, controller.signal);
    }
  };

  const enqueue = async (
    declaration: Extract<EndpointDeclaration, { mode: 'Enqueue' }>,
    request: EndpointRequest<unknown>,
  ) => {
    const own = declaration.options?.(request) ?? {};
    const { jobId } = await options.jobs.enqueue(options.jobs.executor, declaration.job, request.input, own);
    return { jobId };
  };

  const fail = (match: Match, response: ServerResponse, error: unknown, next: Next | undefined) => {
    if (error instanceof EndpointRefusal) {
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

  const run: NodeMiddleware = (request, response, next) => {
    const match = matches.get(request);
    if (!match) {
      next?.();
      return;
    }
    runInJobContext({ traceId: match.traceId }, () => {
      serve(match, request, response).catch((error: unknown) => fail(match, response, error, next));
    });
  };

  return {
    map: (declarations, mapOptions = {}) => {
      const group = mapOptions.group ?? '';
      const groupKey = `${mapOptions.prefix ?? ''} ${group}`;
      if (groups.has(groupKey)) {
        throw new JobsError('InvalidDeclaration', `The group ${JSON.stringify(group)} is mapped already.`);
      }
      groups.add(groupKey);
      for (const declaration of declarations) {
        if ((declaration.group ?? '') !== group) continue;
        if (!endpointMethods.includes(declaration.method)) {
          throw new JobsError('InvalidDeclaration', `${declaration.method} is no method of an endpoint.`);
        }
        const template = parseRouteTemplate(`${mapOptions.prefix ?? ''}${declaration.route}`);
        const key = `${declaration.method} ${template.identity}`;
        if (mappedByKey.has(key)) {
          throw new JobsError('InvalidDeclaration', `${key} is mapped already.`);
        }
        mappedByKey.set(key, { declaration, template, key });
      }
    },
    route,
    observe,
    run,
    handle: (request, response, next) => {
      const match = find(request);
      if (!match) {
        if (next) next();
        else sendProblem(response, 404, 'There is no such endpoint.');
        return;
      }
      matches.set(request, match);
      if (isObserved) observe(request, response);
      run(request, response, next);
    },
    list: () => [...mappedByKey.keys()],
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

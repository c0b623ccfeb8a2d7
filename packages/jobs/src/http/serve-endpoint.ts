import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Jobs } from '../client/jobs.ts';
import { runInJobContext } from '../context.ts';
import type { JobsLogger } from '../engine/logger.ts';
import { errorText, JobsError } from '../errors.ts';
import type { Observation, ObservedRequest } from '../observability/observed-call.ts';
import { cutAnswer } from './cut-answer.ts';
import { type EndpointDeclaration, EndpointRefusal } from './declare-endpoint.ts';
import { mountPath } from './job-status.ts';
import { readJsonBody } from './read-body.ts';
import type { RouteTemplate } from './route-template.ts';
import { sendAnswer, sendJson, sendProblem, type Transport } from './send-answer.ts';
import { ServedRequest } from './served-request.ts';

/** Endpoint with all values that do not depend on a request. */
export type Mapped = {
  readonly declaration: EndpointDeclaration;
  readonly template: RouteTemplate;
  /** Identity: `GET /orders/{id}`. */
  readonly key: string;
  /** Returns the path of a job's status; null without a status route. */
  readonly statusPath: ((jobId: string) => string) | null;
  readonly takesBody: boolean;
  readonly beginObservation: ((observed: ObservedRequest) => Observation) | null;
};

/** Request with its endpoint. */
export type Match = {
  readonly mapped: Mapped;
  readonly served: ServedRequest;
  observation: Observation | null;
  /** Path prefix under which the host mounted the endpoints. It is prepended to the paths of status URLs. */
  mount: string;
};

export const createMatch = (
  mapped: Mapped,
  request: IncomingMessage,
  response: ServerResponse,
  params: Readonly<Record<string, string>>,
): Match => ({ mapped, served: new ServedRequest(request, response, params), observation: null, mount: '' });

/** Begins to observe a request if its endpoint is observed. */
export function beginObserving(match: Match, response: ServerResponse): void {
  const { served } = match;
  match.observation =
    match.mapped.beginObservation?.({ request: served.raw, response, trace: served.trace }) ?? null;
}

/** Serves a request with its endpoint; see `createServe`. */
export type Serve = <T>(match: Match, transport: Transport<T>, target: T) => unknown;

/** Mapped endpoint for a host with its own router. */
export type BoundRoute = {
  readonly method: string;
  readonly template: RouteTemplate;
  /**
   * Observes and serves a request of this endpoint.
   *
   * @param mount path under which the host mounted the endpoints.
   */
  serve<T>(
    request: IncomingMessage,
    params: Readonly<Record<string, string>>,
    mount: string,
    transport: Transport<T>,
    target: T,
  ): unknown;
};

/** Returns a mapped endpoint, bound to its serve function. */
export const bindRoute = (mapped: Mapped, serve: Serve): BoundRoute => ({
  method: mapped.declaration.method,
  template: mapped.template,
  serve: (request, params, mount, transport, target) => {
    const response = transport.response(target);
    const match = createMatch(mapped, request, response, params);
    match.mount = mount;
    beginObserving(match, response);
    return runInJobContext(match.served.trace, serve, match, transport, target);
  },
});

/** Parses the input. A refusal by the declaration is an error of the caller (400). */
function parseInput(declaration: EndpointDeclaration, bound: unknown): unknown {
  try {
    return declaration.mode === 'Answer' ? declaration.parse(bound) : declaration.job.parse(bound);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'It was refused.';
    throw new EndpointRefusal(400, reason, { cause: error });
  }
}

/**
 * Converts an invalid payload into a refusal with 400. `parse` may accept values that `jsonb` cannot store, such as
 * U+0000, and these come from the caller too.
 */
function refusePayload(error: unknown): never {
  if (error instanceof JobsError && error.code === 'InvalidPayload')
    throw new EndpointRefusal(400, error.message, { cause: error });
  throw error;
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/**
 * Returns the function that serves requests. It does not wait for values that are available synchronously. It returns
 * the transport's result or a promise of it. It throws or rejects with errors that the host must handle.
 */
export function createServe(options: {
  readonly jobs: Pick<Jobs, 'enqueue' | 'executor'>;
  readonly logger: JobsLogger;
}): Serve {
  const enqueue = async <T>(
    match: Match,
    declaration: Extract<EndpointDeclaration, { mode: 'Enqueue' }>,
    transport: Transport<T>,
    target: T,
  ) => {
    const { mapped, served } = match;
    const own = declaration.options?.(served) ?? {};
    const { jobId } = await options.jobs
      .enqueue(options.jobs.executor, declaration.job, served.input, own)
      .catch(refusePayload);
    if (mapped.statusPath === null) return sendJson(transport, target, 202, { jobId });
    const statusUrl = `${mountPath(served.raw)}${match.mount}${mapped.statusPath(jobId)}`;
    return sendJson(transport, target, 202, { jobId, statusUrl }, { location: statusUrl });
  };

  const present = <T>(match: Match, value: unknown, transport: Transport<T>, target: T): unknown => {
    if (transport.response(target).writableEnded) return transport.sent(target);
    const { declaration } = match.mapped;
    const presented =
      declaration.mode === 'Answer' && declaration.present ? declaration.present(value) : value;
    return sendAnswer(transport, target, presented, () => match.served.signal);
  };

  const answer = <T>(match: Match, transport: Transport<T>, target: T): unknown => {
    const { mapped, served } = match;
    const { declaration } = mapped;
    const bound = declaration.bind
      ? declaration.bind(served)
      : mapped.takesBody
        ? served.body
        : served.values;
    served.input = parseInput(declaration, bound);
    if (declaration.mode === 'Enqueue') return enqueue(match, declaration, transport, target);
    const value = declaration.handler(served);
    return isThenable(value)
      ? value.then((result) => present(match, result, transport, target))
      : present(match, value, transport, target);
  };

  const readAndAnswer = async <T>(match: Match, transport: Transport<T>, target: T): Promise<unknown> => {
    const { served } = match;
    served.body = await readJsonBody(served.raw, (text) => match.observation?.setRequestBody(text));
    return answer(match, transport, target);
  };

  /** Responds to refusals of the library. Throws all other errors for the host to handle. */
  const fail = <T>(match: Match, error: unknown, transport: Transport<T>, target: T): unknown => {
    const response = transport.response(target);
    if (error instanceof EndpointRefusal && !response.headersSent) {
      return sendProblem(transport, target, error.status, error.message);
    }
    match.observation?.setException(error);
    if (!response.headersSent) throw error;
    // The status was already sent. The aborted connection shows the client that the response is incomplete.
    options.logger.error(
      { endpoint: match.mapped.key, error: errorText(error) },
      'an endpoint failed while answering',
    );
    cutAnswer(response);
    return transport.sent(target);
  };

  const settle = async <T>(
    match: Match,
    pending: PromiseLike<unknown>,
    transport: Transport<T>,
    target: T,
  ): Promise<unknown> => {
    try {
      return await pending;
    } catch (error) {
      return fail(match, error, transport, target);
    }
  };

  return (match, transport, target) => {
    try {
      const result = match.mapped.takesBody
        ? readAndAnswer(match, transport, target)
        : answer(match, transport, target);
      return isThenable(result) ? settle(match, result, transport, target) : result;
    } catch (error) {
      return fail(match, error, transport, target);
    }
  };
}

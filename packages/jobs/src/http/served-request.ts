import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { givenTraceId } from '../context.ts';
import type { CallTrace } from '../observability/observed-call.ts';
import type { EndpointRequest } from './declare-endpoint.ts';

function queryText(request: IncomingMessage): string {
  const url = request.url ?? '';
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** A copy with the usual prototype. V8 spreads objects of other prototypes in a slow way. */
function copyOf(params: Readonly<Record<string, string>>): Record<string, string> {
  const copy: Record<string, string> = {};
  for (const name in params) {
    // Assigned, it would be lost.
    if (name === '__proto__') return { ...params };
    copy[name] = params[name] ?? '';
  }
  return copy;
}

/**
 * The trace of a request, made when it is asked for. It is the context of everything that the request leads to, timers of
 * its connection among it, which live on: so it holds nothing of what came with the request but its headers.
 */
class RequestTrace implements CallTrace {
  #raw: IncomingMessage | null;
  #traceId: string | undefined;

  constructor(raw: IncomingMessage) {
    this.#raw = raw;
  }

  get traceId(): string {
    this.#traceId ??= this.givenTraceId ?? randomUUID();
    this.#raw = null;
    return this.#traceId;
  }

  /** The trace id that came with the request or was asked for; null without. */
  get givenTraceId(): string | null {
    if (this.#traceId !== undefined) return this.#traceId;
    const header = this.#raw?.headers['traceparent'];
    return typeof header === 'string' ? givenTraceId(header) : null;
  }
}

/**
 * A request to a mapped endpoint. What few handlers ask for is made when it is asked for: most requests are over in
 * less time than that would take.
 */
export class ServedRequest implements EndpointRequest<unknown> {
  readonly params: Readonly<Record<string, string>>;
  readonly raw: IncomingMessage;
  body: unknown;
  input: unknown;
  /** The context of what the request leads to. */
  readonly trace: CallTrace;
  readonly #response: ServerResponse;
  #query: URLSearchParams | undefined;
  #controller: AbortController | undefined;

  constructor(raw: IncomingMessage, response: ServerResponse, params: Readonly<Record<string, string>>) {
    this.raw = raw;
    this.trace = new RequestTrace(raw);
    this.params = params;
    this.body = undefined;
    this.input = undefined;
    this.#response = response;
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers;
  }

  /** Query and template values together, of which the template's win. */
  get values(): Record<string, string> {
    return queryText(this.raw) === ''
      ? copyOf(this.params)
      : { ...Object.fromEntries(this.query), ...this.params };
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(queryText(this.raw));
    return this.#query;
  }

  get traceId(): string {
    return this.trace.traceId;
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    const response = this.#response;
    const onClose = () => {
      if (!response.writableFinished) controller.abort(new Error('The client went away.'));
    };
    if (response.closed || response.destroyed) onClose();
    else response.once('close', onClose);
    return controller.signal;
  }
}

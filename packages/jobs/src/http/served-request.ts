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

/** Returns a copy with the standard prototype. V8 spreads objects with other prototypes slowly. */
function copyOf(params: Readonly<Record<string, string>>): Record<string, string> {
  const copy: Record<string, string> = {};
  for (const name in params) {
    // An assignment to `__proto__` would be lost.
    if (name === '__proto__') return { ...params };
    copy[name] = params[name] ?? '';
  }
  return copy;
}

/**
 * Trace of a request, created on first use. It is the context of all work that the request starts, including timers of
 * its connection, which outlive the request. It therefore references only the raw request, and only until the id is
 * set.
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

  /** Trace id that was in the request or was already created; null otherwise. */
  get givenTraceId(): string | null {
    if (this.#traceId !== undefined) return this.#traceId;
    const header = this.#raw?.headers['traceparent'];
    return typeof header === 'string' ? givenTraceId(header) : null;
  }
}

/**
 * Request to a mapped endpoint. Rarely used members are created on first use, because most requests end sooner than
 * their creation takes.
 */
export class ServedRequest implements EndpointRequest<unknown> {
  readonly params: Readonly<Record<string, string>>;
  readonly raw: IncomingMessage;
  body: unknown;
  input: unknown;
  /** Context of all work that the request starts. */
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

  /** Query and path values. Path values override query values. */
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

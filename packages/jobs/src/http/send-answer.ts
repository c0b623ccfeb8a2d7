import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { isAnswer } from './declare-endpoint.ts';

/** Headers of a response, by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** Sends the responses of endpoints on one kind of server. */
export type Transport<T> = {
  response(target: T): ServerResponse;
  /**
   * Sends a complete response.
   *
   * @param text undefined for a response without a body.
   * @returns the value that the server's handler must return.
   */
  send(target: T, status: number, headers: AnswerHeaders, text: string | undefined): unknown;
  /** Begins a response whose body is written in parts. */
  begin(target: T, status: number, headers: AnswerHeaders): ServerResponse;
  /** Returns the value that the server's handler must return when the response was already sent. */
  sent(target: T): unknown;
};

/** Writes directly to the Node response. */
export const nodeTransport: Transport<ServerResponse> = {
  response: (response) => response,
  send: (response, status, headers, text) => {
    response.statusCode = status;
    for (const name in headers) response.setHeader(name, headers[name] ?? '');
    response.end(text);
  },
  begin: (response, status, headers) => response.writeHead(status, headers),
  sent: () => undefined,
};

const problemHeaders = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
/** Content type of a JSON response. */
export const jsonContentType = 'application/json; charset=utf-8';
/** Headers of a JSON response without further headers. */
export const jsonHeaders: AnswerHeaders = { 'content-type': jsonContentType };
const noHeaders = {};
const eventHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

export function sendProblem<T>(
  transport: Transport<T>,
  target: T,
  status: number,
  detail: string,
  headers?: AnswerHeaders,
): unknown {
  if (transport.response(target).headersSent) return transport.sent(target);
  const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail };
  return transport.send(target, status, { ...problemHeaders, ...headers }, JSON.stringify(problem));
}

export function sendJson<T>(
  transport: Transport<T>,
  target: T,
  status: number,
  value: unknown,
  headers?: AnswerHeaders,
): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError('The answer cannot be written as JSON.');
  return transport.send(
    target,
    status,
    headers ? { ...jsonHeaders, ...lowerCased(headers) } : jsonHeaders,
    text,
  );
}

const lowerCased = (headers: AnswerHeaders): AnswerHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function sendEvents<T>(
  transport: Transport<T>,
  target: T,
  events: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  const response = transport.begin(target, 200, eventHeaders);
  for await (const event of events) {
    if (signal.aborted) return transport.sent(target);
    const isRoom = response.write(`data: ${JSON.stringify(event)}\n\n`);
    // Waits for a slow client. A client that disconnects ends the wait.
    if (!isRoom) await once(response, 'drain', { signal }).catch(() => undefined);
  }
  response.end();
  return transport.sent(target);
}

/**
 * Sends a handler's result.
 *
 * @param signal called for a stream: its signal ends the stream when the client disconnects.
 * @returns the value that the server's handler must return; for a stream, a promise of it.
 */
export function sendAnswer<T>(
  transport: Transport<T>,
  target: T,
  value: unknown,
  signal: () => AbortSignal,
): unknown {
  if (isAsyncIterable(value)) return sendEvents(transport, target, value, signal());
  const own = isAnswer(value) ? value : null;
  const body = own ? own.body : value;
  if (body !== undefined && body !== null) {
    return sendJson(transport, target, own?.status ?? 200, body, own?.headers);
  }
  return transport.send(target, own?.status ?? 204, own ? lowerCased(own.headers) : noHeaders, undefined);
}

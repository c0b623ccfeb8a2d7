import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { EndpointRefusal, isAnswer } from './declare-endpoint.ts';

/** Sends an error as problem+json. */
export function sendProblem(response: ServerResponse, status: number, detail: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
  response.end(
    JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail }),
  );
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function sendEvents(
  response: ServerResponse,
  events: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  for await (const event of events) {
    if (signal.aborted) return;
    const isRoom = response.write(`data: ${JSON.stringify(event)}\n\n`);
    // A client that reads slowly is waited for; one that goes away ends the wait.
    if (!isRoom) await once(response, 'drain', { signal }).catch(() => undefined);
  }
  response.end();
}

/** Sends what a handler returned. */
export async function sendAnswer(
  response: ServerResponse,
  value: unknown,
  signal: AbortSignal,
): Promise<void> {
  if (isAsyncIterable(value)) return sendEvents(response, value, signal);
  const own = isAnswer(value) ? value : null;
  const body = own ? own.body : value;
  const isEmpty = body === undefined || body === null;
  const status = own?.status ?? (isEmpty ? 204 : 200);
  if (isEmpty) {
    response.writeHead(status, own?.headers);
    response.end();
    return;
  }
  const text = JSON.stringify(body);
  if (text === undefined) throw new EndpointRefusal(500, 'The answer cannot be written as JSON.');
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...own?.headers });
  response.end(text);
}

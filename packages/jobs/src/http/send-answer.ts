import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { isAnswer } from './declare-endpoint.ts';

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

/**
 * Sends what a handler returned.
 *
 * @param signal asked for when the answer is a stream: it ends when the client goes away.
 */
export async function sendAnswer(
  response: ServerResponse,
  value: unknown,
  signal: () => AbortSignal,
): Promise<void> {
  if (isAsyncIterable(value)) return sendEvents(response, value, signal());
  const own = isAnswer(value) ? value : null;
  const body = own ? own.body : value;
  const isEmpty = body === undefined || body === null;
  const text = isEmpty ? undefined : JSON.stringify(body);
  if (!isEmpty && text === undefined) throw new TypeError('The answer cannot be written as JSON.');
  response.statusCode = own?.status ?? (isEmpty ? 204 : 200);
  if (text !== undefined) response.setHeader('content-type', 'application/json; charset=utf-8');
  for (const [name, header] of Object.entries(own?.headers ?? {})) response.setHeader(name, header);
  response.end(text);
}

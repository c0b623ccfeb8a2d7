import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Carrier, HubConnection } from './connection.ts';
import type { HubLimits } from './limits.ts';
import { isServerOpen } from './server-open.ts';

/** Answers a request with a stream of server-sent events: one text record per event. */
export function streamEvents(
  { request, response, headers }: StreamedAnswer,
  limits: HubLimits,
  open: (carrier: Carrier) => HubConnection,
): void {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    // Prevents proxies from buffering the events.
    'x-accel-buffering': 'no',
  });
  response.write(':\n\n');
  const connection = open({
    // A record is JSON and contains no line break.
    send: (bytes) => void response.write(`data: ${bytes.toString('utf8')}\n\n`),
    bufferedBytes: () => response.writableLength,
    end: () => {
      response.end();
      setTimeout(() => response.destroy(), limits.closeGraceMs).unref();
    },
    cut: () => void response.destroy(),
    isServerOpen: () => isServerOpen(request),
  });
  response.on('error', () => undefined);
  response.on('close', () => connection.gone());
}

export type StreamedAnswer = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
};

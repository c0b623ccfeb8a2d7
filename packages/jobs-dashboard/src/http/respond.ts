import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DashboardCode, Problem, ProblemKind } from '../problem.ts';

const apiHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

/** Sends a response. A HEAD request receives only the headers. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): void {
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

export function sendJson(request: IncomingMessage, response: ServerResponse, value: unknown): void {
  const headers = { ...apiHeaders, 'content-type': 'application/json; charset=utf-8' };
  send(request, response, 200, headers, JSON.stringify(value));
}

/**
 * Sends a refusal as `application/problem+json`.
 *
 * @param kindOf  returns the host's type and title of a code.
 */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  kindOf?: (code: DashboardCode) => ProblemKind,
): void {
  const headers = { ...apiHeaders, ...problem.headers, 'content-type': 'application/problem+json' };
  send(request, response, problem.status, headers, JSON.stringify(problem.body(kindOf)));
}

/** Redirects the browser with 302. */
export function sendElsewhere(response: ServerResponse, location: string): void {
  response.writeHead(302, { location, 'cache-control': 'no-store', 'content-length': '0' }).end();
}

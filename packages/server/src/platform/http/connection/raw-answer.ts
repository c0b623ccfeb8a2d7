import { type HttpProblem, titles } from '../refusals/http-problem.ts';
import { toProblem } from '../refusals/problems.ts';

/**
 * Returns a refusal as the bytes of a complete HTTP response, for a connection without a response object. The
 * connection closes after it.
 */
export function rawAnswer(problem: HttpProblem, basePath: string): string {
  const body = JSON.stringify(toProblem(problem, { basePath }));
  return [
    `HTTP/1.1 ${problem.status} ${titles[problem.status] ?? 'Error'}`,
    'Content-Type: application/problem+json',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

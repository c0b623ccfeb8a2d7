import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';

/** An unprocessed HTTP response. */
export type RawAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** Reuses connections, because the tests send thousands of requests. */
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request with an unchanged path. `fetch` would normalise the path. */
export function sendRaw(
  origin: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const json =
    text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, agent, headers: { ...json, ...headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

/** Returns the headers that authenticate a client. For a browser session, they include the antiforgery token. */
export async function credentialsOf(client: HttpClient): Promise<Record<string, string>> {
  if (client.authorization !== undefined) return { authorization: client.authorization };
  if (client.cookies.size === 0) return {};
  const answer = await client.get('/svc/api/csrf');
  const { token } = answer.read<{ token: string }>();
  return {
    cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': token,
  };
}

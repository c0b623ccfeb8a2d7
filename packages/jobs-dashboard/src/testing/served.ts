import { createServer } from 'node:http';
import { createFixture, type Fixture } from '../../../jobs/src/testing/fixture.ts';
import { createJobsDashboard, type JobsDashboardOptions } from '../index.ts';

/** Response of the dashboard. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
};

/** Dashboard on its own port. */
export type Served = {
  readonly origin: string;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly post: (
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
  readonly close: () => Promise<void>;
};

/** Serves a dashboard for the fixture's database under `/jobs`. All visitors may read and change everything. */
export async function serveDashboard(
  fixture: Fixture,
  options: Partial<JobsDashboardOptions> = {},
): Promise<Served> {
  const dashboard = createJobsDashboard({
    database: { connection: fixture.database.connection },
    prefix: '/jobs',
    authorize: () => ({ kind: 'Admitted', name: 'ada' }),
    ...options,
  });
  const server = createServer((request, response) =>
    dashboard.handle(request, response, () => response.writeHead(418).end('the host')),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const send = async (method: string, path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(origin + path, { method, redirect: 'manual', ...init });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    };
  };
  return {
    origin,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body = {}, headers = {}) =>
      send('POST', path, {
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dashboard.close();
    },
  };
}

export { createFixture, type Fixture };

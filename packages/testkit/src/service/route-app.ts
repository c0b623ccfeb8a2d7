import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { anonymousCaller, type Caller } from '../../../server/src/platform/access/index.ts';
import { createHttpApp, type Route, unauthorized } from '../../../server/src/platform/http/index.ts';

/** HTTP response with its parsed JSON body, if it has one. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely; a wrong guess fails the test.
export type Answer = { status: number; headers: Headers; body: any; text: string };

/** Sends a request. `as` is the name of the caller; undefined sends an anonymous request. */
export type Call = (
  as: string | undefined,
  operation: `${string} /${string}`,
  options?: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
) => Promise<Answer>;

export type RouteApp = {
  readonly origin: string;
  readonly call: Call;
  /** Callers by name. Tests add entries. */
  readonly callers: Map<string, Caller>;
  readonly close: () => Promise<void>;
};

/** Serves routes on a real port. The `authorization` header contains the name of the caller. */
export async function startRouteApp(routes: readonly Route[]): Promise<RouteApp> {
  const callers = new Map<string, Caller>();
  const app = await createHttpApp({
    routes,
    log: pino({ level: 'silent' }),
    bodyLimitBytes: 1_000_000,
    knownProxies: [],
    authenticate: async (request) => {
      const name = request.headers['authorization'];
      if (name === undefined) return anonymousCaller;
      const caller = callers.get(name);
      if (!caller) throw unauthorized();
      return caller;
    },
    checkAntiforgery: () => undefined,
    isSetupOpen: () => false,
  });
  const server = createServer((request, response) => app.routing(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call: Call = async (as, operation, { body, headers, signal } = {}) => {
    const [method = 'GET', path = '/'] = operation.split(' ');
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...(as !== undefined && { authorization: as }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : undefined,
      text,
    };
  };
  return {
    origin,
    call,
    callers,
    close: async () => {
      await app.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const nobody: Caller = { ...anonymousCaller, kind: 'session' };

/** Returns a signed-in caller. */
export const person = (userId: number, change: Partial<Caller> = {}): Caller => ({
  ...nobody,
  userId,
  userName: `user-${userId}`,
  ...change,
});

/** Returns a caller with an API key of the owner. */
export const keyOf = (
  owner: Caller,
  scope: 'Read' | 'Execute',
  allowedProjectIds: readonly number[] | null,
): Caller => ({
  ...owner,
  kind: 'apiKey',
  scopes: new Set(scope === 'Execute' ? (['Read', 'Execute'] as const) : (['Read'] as const)),
  permissions: new Set(),
  allowedProjectIds,
  apiKeyId: 1,
});

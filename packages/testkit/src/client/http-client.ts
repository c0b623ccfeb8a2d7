import { randomInt } from 'node:crypto';

/** HTTP response with its complete body. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Body as JSON; `undefined` if the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape; a wrong guess fails the test.
  readonly body: any;
  /** Returns the body with an unchecked type, for example to read an id. Assertions use `body`. */
  readonly read: <T>() => T;
  /** `Set-Cookie` headers, unparsed. */
  readonly setCookies: readonly string[];
};

/** Optional parts of a request. */
export type RequestOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  /** False omits the antiforgery header although the method changes state. */
  readonly antiforgery?: boolean;
  /** Body that is sent unchanged, instead of JSON. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
};

/** Client that acts as one program or browser, with an address, cookies and an optional Authorization header. */
export type HttpClient = {
  readonly send: (method: string, path: string, body?: unknown, options?: RequestOptions) => Promise<Answer>;
  readonly get: (path: string, options?: RequestOptions) => Promise<Answer>;
  readonly post: (path: string, body?: unknown, options?: RequestOptions) => Promise<Answer>;
  readonly put: (path: string, body?: unknown, options?: RequestOptions) => Promise<Answer>;
  readonly patch: (path: string, body?: unknown, options?: RequestOptions) => Promise<Answer>;
  readonly delete: (path: string, options?: RequestOptions) => Promise<Answer>;
  readonly cookies: Map<string, string>;
  /** Authorization header of a program; undefined for a browser. */
  readonly authorization: string | undefined;
  /** IP address in the header `X-Forwarded-For`, as from a trusted proxy. */
  readonly address: string;
};

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keepCookies(jar: Map<string, string>, setCookies: readonly string[]): void {
  for (const cookie of setCookies) {
    const [pair = '', ...attributes] = cookie.split(';');
    const name = pair.slice(0, pair.indexOf('=')).trim();
    const value = pair.slice(pair.indexOf('=') + 1).trim();
    const isGone = attributes.some((attribute) =>
      /^\s*(max-age=0|expires=Thu, 01 Jan 1970)/i.test(attribute),
    );
    if (isGone || value === '') jar.delete(name);
    else jar.set(name, value);
  }
}

/**
 * Creates a client that stores cookies. Without an Authorization header it behaves as a browser: with cookies, it fetches
 * an antiforgery token before a change and sends it.
 */
export function createHttpClient(origin: string, authorization?: string): HttpClient {
  const cookies = new Map<string, string>();
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  let token: { value: string; jar: string } | undefined;
  const jarNow = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  async function transmit(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Answer> {
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': address,
        ...(cookies.size > 0 && { cookie: jarNow() }),
        ...(authorization !== undefined && { authorization }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const setCookies = response.headers.getSetCookie();
    keepCookies(cookies, setCookies);
    const json = parseJson(text);
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json,
      read: <T>() => json as T,
      setCookies,
    };
  }

  async function antiforgeryHeaders(): Promise<Record<string, string>> {
    if (token?.jar !== jarNow()) {
      const answer = await transmit('GET', '/svc/api/csrf', {});
      if (answer.status === 200) token = { value: answer.read<{ token: string }>().token, jar: jarNow() };
    }
    return token ? { 'x-xsrf-token': token.value } : {};
  }

  async function send(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const isBrowserChange = !safeMethods.has(method) && authorization === undefined && cookies.size > 0;
    const antiforgery = isBrowserChange && options.antiforgery !== false ? await antiforgeryHeaders() : {};
    const text = options.rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const contentType = text === undefined ? {} : { 'content-type': 'application/json' };
    return transmit(method, path, { ...contentType, ...antiforgery, ...options.headers }, text);
  }

  return {
    send,
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body, options),
    put: (path, body, options) => send('PUT', path, body, options),
    patch: (path, body, options) => send('PATCH', path, body, options),
    delete: (path, options) => send('DELETE', path, undefined, options),
    cookies,
    authorization,
    address,
  };
}

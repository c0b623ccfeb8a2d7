import type { Session } from '../../../src/api/overview.ts';
import type { Json } from './json.ts';

/** Path prefix of the dashboard, written into the page by the server. */
export const prefix = document.querySelector<HTMLMetaElement>('meta[name="dashboard-prefix"]')?.content ?? '';

/** Refusal by the server, with its message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, detail: string, more: Readonly<Record<string, unknown>>) {
    super(detail);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Not from the dashboard: a proxy, or a sign-in page.
  }
  if (response.ok) return body;
  const detail =
    typeof body['detail'] === 'string' ? body['detail'] : `The server answered ${response.status}.`;
  throw new ApiError(response.status, String(body['code'] ?? ''), detail, body);
}

/** Query parameters. Undefined members are omitted. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

function addressOf(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return `${prefix}/api${path}${text === '' ? '' : `?${text}`}`;
}

/** Sends a GET request to the API. */
export async function get<T>(
  path: string,
  parameters: Parameters = {},
  signal?: AbortSignal,
): Promise<Json<T>> {
  const response = await fetch(addressOf(path, parameters), {
    headers: { accept: 'application/json' },
    ...(signal && { signal }),
  });
  return (await readAnswer(response)) as Json<T>;
}

async function proof(): Promise<Record<string, string>> {
  const { antiforgery } = await get<Session>('/session');
  if (!antiforgery) return {};
  const response = await fetch(antiforgery.url, { headers: { accept: 'application/json' } });
  const { token } = (await readAnswer(response)) as { token?: unknown };
  return typeof token === 'string' ? { [antiforgery.header]: token } : {};
}

/** Sends a POST request to the API, with an antiforgery token where the host requires one. */
export async function post<T>(path: string, body: unknown = {}): Promise<Json<T>> {
  const response = await fetch(addressOf(path, {}), {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...(await proof()) },
    body: JSON.stringify(body),
  });
  return (await readAnswer(response)) as Json<T>;
}

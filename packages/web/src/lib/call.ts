import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@svc/contract';
import { hosted } from './base.ts';
import { antiforgeryToken, forgetAntiforgeryToken } from './calls/antiforgery.ts';
import { freshness } from './calls/just-changed.ts';
import { noteSilence } from './calls/reachability.ts';
import { isRefusal, readProblem, unreachable } from './problem.ts';

type Part<Name extends string, T> = [T] extends [undefined]
  ? { readonly [K in Name]?: undefined }
  : Record<string, never> extends T
    ? { readonly [K in Name]?: T }
    : { readonly [K in Name]: T };

/** Input of a call, as the endpoint declares it. */
export type CallInput<E> = Part<'params', ParamsOf<E>> & Part<'query', QueryOf<E>> & Part<'body', BodyOf<E>>;

type AnyInput = {
  readonly params?: Record<string, unknown> | undefined;
  readonly query?: Record<string, unknown> | undefined;
  readonly body?: unknown;
  /** Body that is sent unchanged instead of as JSON. */
  readonly file?: Blob;
};

/** Returns the path and the query string of a call. */
export function urlOf(endpoint: Endpoint, input: AnyInput): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value === undefined || value === null || value === '') continue;
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, String(item));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function send(
  endpoint: Endpoint,
  input: AnyInput,
  signal: AbortSignal | undefined,
  headers: Record<string, string> = {},
): Promise<Response> {
  const sent: Record<string, string> = {
    accept: 'application/json',
    ...(endpoint.readsLate && freshness()),
    ...headers,
  };
  if (input.body !== undefined) sent['content-type'] = 'application/json';
  if (input.file !== undefined) sent['content-type'] = 'application/octet-stream';
  if (endpoint.access.needsAntiforgery) sent['x-xsrf-token'] = await antiforgeryToken();
  const answer = await fetch(hosted(urlOf(endpoint, input)), {
    method: endpoint.method,
    headers: sent,
    redirect: 'follow',
    credentials: 'same-origin',
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    ...(input.file !== undefined && { body: input.file }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    noteSilence();
    throw unreachable();
  });
  if (answer.redirected && new URL(answer.url).pathname === hosted('/svc/setup')) {
    // No user can sign in before the setup. The browser leaves the page, so the promise never settles.
    window.location.assign(hosted('/svc/setup'));
    return new Promise<never>(() => undefined);
  }
  if (!answer.ok) throw await readProblem(answer);
  return answer;
}

/**
 * Calls an endpoint and returns the raw response, for files and streams.
 * @throws ProblemError for a refusal, or when the service cannot be reached.
 */
export async function callRaw<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Response> {
  try {
    return await send(endpoint, input as AnyInput, options.signal, options.headers);
  } catch (error) {
    if (!endpoint.access.needsAntiforgery || !isRefusal(error, 'antiforgery-required')) throw error;
    forgetAntiforgeryToken();
    return await send(endpoint, input as AnyInput, options.signal, options.headers);
  }
}

/** Calls an endpoint whose body is the bytes of a file. Throws as `call` does. */
export async function callWithFile<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  file: Blob,
): Promise<AnswerOf<E>> {
  const answer = await callRaw(endpoint, { ...input, file } as CallInput<E>);
  return (await answer.json()) as AnswerOf<E>;
}

/**
 * Calls an endpoint of the contract. State-changing calls carry the antiforgery header.
 *
 * @throws ProblemError for a refusal, or when the service cannot be reached.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<AnswerOf<E>> {
  const answer = await callRaw(endpoint, input, options);
  if (answer.status === 204) return undefined as AnswerOf<E>;
  return (await answer.json()) as AnswerOf<E>;
}

import type { OutboundFetch } from '../../platform/outbound/index.ts';

/** Requests a token for a name and a password from the host's token endpoint. Returns undefined if they are wrong. */
export type AskTokenEndpoint = (
  credentials: { username: string; password: string },
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Sends the credentials in the form of OAuth servers: a form with grant type `password`. */
export const askTokenEndpoint =
  (endpoint: string, fetchFromHost: OutboundFetch): AskTokenEndpoint =>
  async (credentials, signal) => {
    const form = new URLSearchParams({ grant_type: 'password', ...credentials });
    const response = await fetchFromHost(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const answer: unknown = await response.json();
    if (typeof answer !== 'object' || answer === null || !('access_token' in answer)) return undefined;
    return typeof answer.access_token === 'string' ? answer.access_token : undefined;
  };

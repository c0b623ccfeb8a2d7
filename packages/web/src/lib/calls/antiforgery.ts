import { hosted } from '../base.ts';
import { readProblem, unreachable } from '../problem.ts';

let token: Promise<string> | undefined;

async function fetchToken(): Promise<string> {
  const answer = await fetch(hosted('/svc/api/csrf'), { credentials: 'same-origin' }).catch(() => {
    throw unreachable();
  });
  if (!answer.ok) throw await readProblem(answer);
  const body: unknown = await answer.json();
  if (typeof body !== 'object' || body === null || !('token' in body)) throw unreachable();
  return String(body.token);
}

/**
 * Returns the token that state-changing requests carry. The service is queried once; the token is cached until the
 * session changes.
 */
export function antiforgeryToken(): Promise<string> {
  token ??= fetchToken().catch((error: unknown) => {
    token = undefined;
    throw error;
  });
  return token;
}

/** Clears the cached token. Called when the session changes. */
export function forgetAntiforgeryToken(): void {
  token = undefined;
}

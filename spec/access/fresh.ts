import type { HttpClient } from '@svc/testkit/client/http-client.ts';

let count = 0;

// Not the names that the scenarios give: both may be counted in one process.
export const fresh = (what: string) => `matrix-${what} ${count++}`;

/** Makes a record by a route. */
export async function made(client: HttpClient, path: string, body: unknown): Promise<number> {
  const answer = await client.post(path, body);
  if (answer.status !== 201)
    throw new Error(`The matrix could not prepare ${path}: ${answer.status} ${answer.text}`);
  return answer.read<{ id: number }>().id;
}

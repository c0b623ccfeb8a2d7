import type { HttpClient } from '@svc/testkit/client/http-client.ts';

let count = 0;

// The prefix avoids a clash with names of scenarios in the same process.
export const fresh = (what: string) => `matrix-${what} ${count++}`;

/** Creates a record through the API and returns its id. Throws for any status except 201. */
export async function made(client: HttpClient, path: string, body: unknown): Promise<number> {
  const answer = await client.post(path, body);
  if (answer.status !== 201)
    throw new Error(`The matrix could not prepare ${path}: ${answer.status} ${answer.text}`);
  return answer.read<{ id: number }>().id;
}

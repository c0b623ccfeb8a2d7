import type { HttpClient } from './http-client.ts';

/** Created record, as its route returns it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape; a wrong guess fails the test.
export type Made = { readonly id: number; readonly [member: string]: any };

/** Creates a record through its route. @throws Error unless the status is 201. */
export async function make(client: HttpClient, path: string, body: unknown): Promise<Made> {
  const answer = await client.post(path, body);
  if (answer.status !== 201) throw new Error(`${path} made nothing: ${answer.status} ${answer.text}`);
  return answer.body;
}

import type { CallerKind } from '../caller.ts';
import type { Fixture } from '../fixture.ts';

const hub = '/svc/api/hub';

/**
 * Negotiates a hub connection for the caller and returns its path. A refused caller gets a path without a connection.
 */
async function hubConnection(
  { clients }: Fixture,
  kind: CallerKind,
  begin: boolean,
): Promise<{ readonly path: string; readonly body?: undefined; readonly as?: undefined }> {
  const client = clients[kind];
  const answer = await client?.post(`${hub}/negotiate?negotiateVersion=1`);
  const token = answer?.status === 200 ? answer.read<{ connectionToken: string }>().connectionToken : 'none';
  const path = `${hub}?id=${encodeURIComponent(token)}`;
  if (begin) await client?.get(path);
  return { path };
}

/** Requests to the hub. */
export const hubRecipes: Readonly<
  Record<string, (fixture: Fixture, kind: CallerKind) => ReturnType<typeof hubConnection>>
> = {
  [`GET ${hub}`]: (fixture, kind) => hubConnection(fixture, kind, false),
  [`POST ${hub}`]: (fixture, kind) => hubConnection(fixture, kind, true),
  [`DELETE ${hub}`]: (fixture, kind) => hubConnection(fixture, kind, true),
};

import { listChanges, type QueryOf } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

/** One page of the requests. */
export const changes = (query: QueryOf<typeof listChanges>) => read(listChanges, { query });

const lookAgainMs = 60_000;

/** How many requests wait: asked for again each minute, for the navigation. */
export const waitingChanges = queryOptions({
  ...read(listChanges, { query: { status: 'Pending', pageSize: '1' } }),
  refetchInterval: lookAgainMs,
});

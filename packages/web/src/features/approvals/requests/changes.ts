import { listChanges, type QueryOf } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

export const changes = (query: QueryOf<typeof listChanges>) => read(listChanges, { query });

const lookAgainMs = 60_000;

/** Number of waiting requests, for the navigation. It polls each minute. */
export const waitingChanges = queryOptions({
  ...read(listChanges, { query: { status: 'Pending', pageSize: '1' } }),
  refetchInterval: lookAgainMs,
});

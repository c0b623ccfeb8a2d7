import { listNotifications, type QueryOf } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../lib/server-state.ts';

/** One page of the history of runs. Stays as it was read until it is asked for again: rows must not jump. */
export const notifications = (query: QueryOf<typeof listNotifications>) =>
  queryOptions({ ...read(listNotifications, { query }), staleTime: 0, refetchOnWindowFocus: false });

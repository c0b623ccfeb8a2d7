import { listNotifications, type QueryOf } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../lib/server-state.ts';

/** One page of the history of runs. It is not refetched in the background, because rows must not shift. */
export const notifications = (query: QueryOf<typeof listNotifications>) =>
  queryOptions({ ...read(listNotifications, { query }), staleTime: 0, refetchOnWindowFocus: false });

import { getSubscription, listSubscriptions, type QueryOf } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** One page of the subscriptions of readable projects. */
export const subscriptions = (query: QueryOf<typeof listSubscriptions>) => read(listSubscriptions, { query });

export const subscription = (id: number) => read(getSubscription, { params: { id } });

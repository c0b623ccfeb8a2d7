import { getLastResult } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** The newest rows of a query that a run kept; of one of its subscriptions where that is named. */
export const lastResult = (id: number, subscriptionId?: number) =>
  read(getLastResult, { params: { id }, query: subscriptionId === undefined ? {} : { subscriptionId } });

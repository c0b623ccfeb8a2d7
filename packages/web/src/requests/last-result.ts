import { getLastResult } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** Newest rows of a query that a run stored, optionally of one subscription. */
export const lastResult = (id: number, subscriptionId?: number) =>
  read(getLastResult, { params: { id }, query: subscriptionId === undefined ? {} : { subscriptionId } });

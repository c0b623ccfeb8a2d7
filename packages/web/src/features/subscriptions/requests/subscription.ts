import { getSubscription } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One subscription. */
export const subscription = (id: number) => read(getSubscription, { params: { id } });

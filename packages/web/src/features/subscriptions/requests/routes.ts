import { listSubscriptionRoutes } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Who gets the rows with which value; for those who may write. */
export const subscriptionRoutes = (id: number) => read(listSubscriptionRoutes, { params: { id } });

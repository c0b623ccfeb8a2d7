import { listSubscriptionRoutes } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Who gets the rows with which value; for those who may write. A form starts from what is there now, never from before. */
export const subscriptionRoutes = (id: number) => ({
  ...read(listSubscriptionRoutes, { params: { id } }),
  gcTime: 0,
});

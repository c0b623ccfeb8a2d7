import { listSubscriptionRoutes } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/**
 * Routing values with their recipients, for users who may write. Not cached after use, so that a form starts from the
 * present values.
 */
export const subscriptionRoutes = (id: number) => ({
  ...read(listSubscriptionRoutes, { params: { id } }),
  gcTime: 0,
});

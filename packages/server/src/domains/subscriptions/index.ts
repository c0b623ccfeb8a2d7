export { requireOwner } from './owner.ts';
export { subscriptionRoutes } from './routes.ts';
export { createSchedules, type Schedules } from './schedule.ts';
export { createSubscriptionsService, newSubscription, type SubscriptionsService } from './service.ts';
export { createStopSubscription, type StopSubscription } from './stop.ts';
export type { SubscriptionRow } from './store/index.ts';

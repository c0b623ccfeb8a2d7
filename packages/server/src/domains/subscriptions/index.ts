export { createStopSubscription, type StopSubscription } from './changes/stop.ts';
export { requireOwner } from './owner.ts';
export { subscriptionRoutes } from './routes.ts';
export { createSchedules, type Schedules } from './schedule.ts';
export { createSubscriptionsService, type SubscriptionsService } from './service.ts';
export { newSubscription } from './settings.ts';
export type { SubscriptionRow } from './store/index.ts';

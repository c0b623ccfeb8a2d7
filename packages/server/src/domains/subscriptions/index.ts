export { subscriptionRoutes } from './routes.ts';
export { createSchedules, type Schedules } from './schedule.ts';
export { createSubscriptionsService, type SubscriptionsService } from './service.ts';
export type { SubscriptionRow } from './store.ts';

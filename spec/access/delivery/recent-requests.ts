import type { Recipe } from '../recipe.ts';

const notifications = '/svc/api/notifications';

/** Requests for the last runs and deliveries by ids, which need not exist. */
export const recentRecipes = (): Readonly<Record<string, Recipe>> => ({
  [`GET ${notifications}/recent-runs`]: async () => ({
    path: `${notifications}/recent-runs?subscriptionIds=1,2`,
  }),
  [`GET ${notifications}/recent-deliveries`]: async () => ({
    path: `${notifications}/recent-deliveries?recipientIds=1,2`,
  }),
});

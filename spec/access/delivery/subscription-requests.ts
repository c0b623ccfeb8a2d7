import { acknowledgementRecipes } from '../data-quality/acknowledgement-requests.ts';
import { made } from '../fresh.ts';
import { freshRecipient, freshSubscription, subscription } from '../fresh-records.ts';
import type { Recipes } from '../recipe.ts';

const subscriptions = '/svc/api/subscriptions';

/** Requests about subscriptions. */
export const subscriptionRecipes: Recipes = {
  [`POST ${subscriptions}`]: async (fixture) => ({ body: await subscription(fixture) }),
  [`GET ${subscriptions}/{id}`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}`,
  }),
  [`PATCH ${subscriptions}/{id}`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}`,
    body: { showQuery: true },
  }),
  [`DELETE ${subscriptions}/{id}`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}`,
  }),
  [`POST ${subscriptions}/{id}/reactivate`]: async (fixture) => {
    const id = await freshSubscription(fixture);
    await fixture.root.delete(`${subscriptions}/${id}`);
    return { path: `${subscriptions}/${id}/reactivate` };
  },
  [`POST ${subscriptions}/bulk`]: async (fixture) => ({
    body: { subscriptionIds: [await freshSubscription(fixture)], act: 'Archive' },
  }),
  [`POST ${subscriptions}/{id}/test-run`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/test-run`,
  }),
  [`POST ${subscriptions}/{id}/sla`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/sla`,
    body: { slaHours: 8 },
  }),
  [`POST ${subscriptions}/{id}/replace`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/replace`,
    body: { cronExpression: '15 6 * * *' },
  }),
  [`POST ${subscriptions}/{id}/alert-reset`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/alert-reset`,
  }),
  ...acknowledgementRecipes(subscriptions, 'subscription_id', freshSubscription),
  [`POST ${subscriptions}/{id}/row-memory-reset`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/row-memory-reset`,
  }),
  [`POST ${subscriptions}/{id}/pause`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/pause`,
  }),
  [`POST ${subscriptions}/{id}/resume`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/resume`,
  }),
  [`POST ${subscriptions}/{id}/snooze`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/snooze`,
    body: { until: new Date(Date.now() + 3_600_000).toISOString(), reason: 'Being mended' },
  }),
  'GET /svc/api/control-tower/subscriptions/{id}/detail': async (fixture) => ({
    path: `/svc/api/control-tower/subscriptions/${await freshSubscription(fixture)}/detail`,
  }),
  [`GET ${subscriptions}/{id}/missed-runs`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/missed-runs`,
  }),
  [`GET ${subscriptions}/{id}/routes`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/routes`,
  }),
  [`POST ${subscriptions}/{id}/message-preview`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/message-preview`,
    body: { source: 'DryRun' },
  }),
  [`POST ${subscriptions}/{id}/recipients`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/recipients`,
    body: { recipientIds: [await freshRecipient(fixture)] },
  }),
  [`DELETE ${subscriptions}/{id}/recipients/{recipientId}`]: async (fixture) => {
    const body = await subscription(fixture);
    const id = await made(fixture.root, subscriptions, {
      ...body,
      recipientIds: [...body.recipientIds, await freshRecipient(fixture)],
    });
    return { path: `${subscriptions}/${id}/recipients/${body.recipientIds[0]}` };
  },
  [`PUT ${subscriptions}/{id}/owner`]: async (fixture) => ({
    path: `${subscriptions}/${await freshSubscription(fixture)}/owner`,
    body: { userId: fixture.editorId },
  }),
  [`POST ${subscriptions}/schedule-preview`]: async () => ({ body: { cronExpression: '0 6 * * *' } }),
};

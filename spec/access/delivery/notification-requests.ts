import type { CallerKind } from '../caller.ts';
import type { Fixture } from '../fixture.ts';
import { freshRecipient, freshSubscription } from '../fresh-records.ts';
import type { Recipes } from '../recipe.ts';
import { failedRun } from './failed-run.ts';

const notifications = '/svc/api/notifications';

/** Inserts a notice for the caller, or for another user if the caller has no user id. Returns its id. */
async function freshNotice(fixture: Fixture, kind: CallerKind): Promise<number> {
  const me = await fixture.clients[kind]?.get('/svc/api/auth/me');
  const userId = me?.status === 200 ? me.read<{ userId: number | null }>().userId : null;
  const [row] = await fixture.svc.sql<{ id: number }>(
    `insert into svc.notices (user_id, kind, subject_kind, subject_id, subject_name, project_id)
     select coalesce($2, 1), 'RunFailed', 'Subscription', s.id, q.name, q.project_id
     from svc.subscriptions s join svc.queries q on q.id = s.query_id where s.id = $1 returning id`,
    [await freshSubscription(fixture), userId],
  );
  if (!row) throw new Error('The matrix could not prepare a notice.');
  return Number(row.id);
}

/** Requests about sent messages and notices. */
export const notificationRecipes: Recipes = {
  [`POST ${notifications}/{id}/deliveries/{deliveryId}/resend`]: async (fixture) => {
    const run = await failedRun(fixture, await freshSubscription(fixture), await freshRecipient(fixture));
    return { path: `${notifications}/${run.id}/deliveries/${run.deliveryId}/resend` };
  },
  [`POST ${notifications}/{id}/resend-failed`]: async () => ({ body: {} }),
  [`POST ${notifications}/resend-failed`]: async () => ({
    body: { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' },
  }),
  'POST /svc/api/notices/{id}/read': async (fixture, kind) => ({
    path: `/svc/api/notices/${await freshNotice(fixture, kind)}/read`,
  }),
};

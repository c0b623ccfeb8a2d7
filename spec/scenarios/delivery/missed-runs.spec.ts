import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addSubscription } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

/** Start of this year as SQL: the last due time of the schedule of `addSubscription`. */
const lastSlot = `make_timestamptz(extract(year from now() at time zone 'UTC')::int, 1, 1, 0, 0, 0, 'UTC')`;

const missedOf = async (root: HttpClient, id: number) =>
  (await root.get(`/svc/api/subscriptions/${id}/missed-runs`)).body.items;

scenario(
  ['RT-4.3-1169', 'RT-4.3-1170'],
  'a run is missed while no worker exists, and is no longer missed once a worker starts it late',
  async ({ deliver }) => {
    const { svc, root, addQuery } = await deliver({ 'Svc:Host:Roles': ['Web'] });
    const id = await addSubscription(root, {
      queryId: await addQuery('select 1 as found'),
      recipientIds: [],
      createTasks: true,
    });
    await svc.sql(`update svc.subscriptions set watch_due_at = ${lastSlot} where id = $1`, [id]);
    await expect
      .poll(() => missedOf(root, id), { timeout: 120_000 })
      .toMatchObject([{ missedCount: 1, reason: 'NotStarted' }]);
    expect((await root.get('/svc/api/notices')).body.items).toMatchObject([
      { kind: 'RunMissed', subjectKind: 'Subscription', subjectId: id },
    ]);

    // The tick of the slot still waits for a worker.
    await svc.sql(`update svc_jobs.schedule set next_due_at = ${lastSlot} where key = $1`, [
      `subscription:${id}`,
    ]);
    await svc.replica({ 'Svc:Host:Roles': ['Worker', 'Scheduler'] });
    const runs = async () =>
      svc.sql(
        `select from svc.runs where subscription_id = $1 and due_at = ${lastSlot} and finished_at is not null`,
        [id],
      );
    await expect.poll(runs, { timeout: 120_000 }).toHaveLength(1);
    expect(await missedOf(root, id)).toEqual([]);
  },
  { timeout: 300_000 },
);

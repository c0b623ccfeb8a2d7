import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ActorFixture, action, newQuery, path, startActorFixture } from './testing/actor-fixture.ts';

let fixture: ActorFixture;
beforeAll(async () => {
  fixture = await startActorFixture();
});
afterAll(async () => fixture?.close());

const daily = { cronExpression: '0 6 * * *', notificationTrigger: 'OnResultCountChange' };

describe('the expiry of a plan', () => {
  const expires = async (planId: number) => {
    const answer = await fixture.approve(planId);
    expect([answer.status, answer.body.code]).toEqual([409, 'plan-stale']);
    expect((await fixture.plan(planId)).status).toBe('Expired');
    const { rows } = await fixture.svc.database.query(
      'select status from svc.approval_requests where ai_plan_id = $1',
      [planId],
    );
    expect(rows).toEqual([{ status: 'Withdrawn' }]);
  };

  test('a plan expires with 409 if a user has saved a query that it refines', async () => {
    const { actorId, plan } = await fixture.applied([newQuery()]);
    const queryId = plan.actions[0].resultQueryId;
    const sql = 'select id from orders where total > 5000';
    const next = await fixture.propose([action('RefineQuery', { queryId, sql })], actorId);
    const { body } = await fixture.root.get(`/svc/api/queries/${queryId}`);
    const steps = [{ dataSourceId: fixture.sourceId, sql: 'select id from orders where total > 6000' }];
    await fixture.editor.client.put(`/svc/api/queries/${queryId}`, { name: body.name, steps });
    await expires(next.plan.id);
  });

  test('a plan expires with 409 if a table that it reads has changed', async () => {
    const { plan } = await fixture.propose([newQuery()]);
    await fixture.shop.query('alter table orders add column note text');
    await fixture.refreshMetadata();
    await expires(plan.id);
  });

  test('a plan expires with 409 if the destination of a recipient or the recipients of the actor have changed', async () => {
    for (const change of ['destination', 'recipients'] as const) {
      const recipientId = await fixture.addRecipient();
      const { id, version } = await fixture.make({ defaultRecipientIds: [recipientId] });
      const query = newQuery();
      const subscribe = action('CreateSubscription', { ...daily, queryName: query.queryName });
      const { plan } = await fixture.propose([query, subscribe], id);
      if (change === 'destination') {
        const { body } = await fixture.root.get(`/svc/api/recipients/${recipientId}`);
        const changed = await fixture.root.put(`/svc/api/recipients/${recipientId}`, {
          name: body.name,
          notificationType: 'Webhook',
          destination: fixture.sink.urlOf('/other'),
        });
        expect(changed.status, changed.text).toBe(200);
      } else {
        const settings = {
          name: 'Another',
          instructions: 'Watch.',
          defaultRecipientIds: [await fixture.addRecipient()],
        };
        const changed = await fixture.owner.client.put(`${path}/${id}`, settings, {
          headers: { 'if-match': `"${version}"` },
        });
        expect(changed.status, changed.text).toBe(200);
      }
      await expires(plan.id);
    }
  });

  test('a plan expires after fourteen days', async () => {
    const { plan } = await fixture.propose([newQuery()]);
    expect(Date.parse(plan.expiresAt) - Date.parse(plan.createdTime)).toBe(14 * 86_400_000);
    await fixture.svc.database.query(
      `update svc.ai_plans set expires_at = now() - interval '1 s' where id = $1`,
      [plan.id],
    );
    await expires(plan.id);
  });

  test('refuses the hash of another plan with 409 and leaves the plan pending', async () => {
    const { plan } = await fixture.propose([newQuery()]);
    const answer = await fixture.approve(plan.id, { planHash: 'another' });
    expect([answer.status, answer.body.code]).toEqual([409, 'plan-stale']);
    expect((await fixture.plan(plan.id)).status).toBe('Pending');
  });
});

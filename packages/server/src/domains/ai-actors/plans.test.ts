import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ActorFixture,
  action,
  newQuery,
  path,
  rule,
  startActorFixture,
  thought,
} from './testing/actor-fixture.ts';

let fixture: ActorFixture;
beforeAll(async () => {
  fixture = await startActorFixture();
});
afterAll(async () => fixture?.close());

const daily = { cronExpression: '0 6 * * *', notificationTrigger: 'OnResultCountChange' };

describe('a plan', () => {
  test('contains only the proposed actions that pass the checks, and changes nothing before its approval', async () => {
    const before = await fixture.root.get('/svc/api/queries');
    const query = newQuery();
    const { plan, think, actorId } = await fixture.propose([
      query,
      action('CreateSubscription', { ...daily, queryName: query.queryName }),
      action('CreateContract', {
        schemaName: 'public',
        tableName: 'orders',
        contractName: 'Orders',
        rules: [rule({ columns: ['email'] })],
      }),
      newQuery({ sql: 'delete from orders' }),
    ]);
    expect(plan).toMatchObject({ status: 'Pending', version: 1, actorId, actionCount: 3, canDecide: true });
    expect(plan.actions.map(({ type }: { type: string }) => type)).toEqual([
      'CreateQuery',
      'CreateSubscription',
      'CreateContract',
    ]);
    expect(think.discarded).toMatchObject([{ type: 'CreateQuery', problem: expect.any(String) }]);
    expect(think.tokens).toMatchObject({ input: 11, output: 7 });
    expect((await fixture.root.get('/svc/api/queries')).body.totalCount).toBe(before.body.totalCount);
    const hash = { planHash: plan.planHash };
    await fixture.root.post(`${path}/plans/${plan.id}/reject`, { comment: 'No.' });
    expect((await fixture.root.post(`${path}/plans/${plan.id}/approve`, hash)).status).toBe(409);
  });

  test('is applied completely, as the owner of the actor, and the audit log names the actor', async () => {
    const query = newQuery();
    const recipientId = await fixture.addRecipient();
    const { id: actorId } = await fixture.make({ defaultRecipientIds: [recipientId] });
    const { plan } = await fixture.applied(
      [
        query,
        action('CreateSubscription', { ...daily, queryName: query.queryName, minimumRowCount: 2 }),
        action('CreateContract', {
          schemaName: 'public',
          tableName: 'orders',
          contractName: `Orders of ${query.queryName}`,
          rules: [rule({ type: 'Uniqueness', name: 'One row an id', columns: ['id'] })],
        }),
      ],
      actorId,
    );
    expect(plan).toMatchObject({ status: 'Applied', decidedByUserName: 'approver', planHash: null });
    const [made, subscribed, contracted] = plan.actions;
    const saved = await fixture.root.get(`/svc/api/queries/${made.resultQueryId}`);
    expect(saved.body).toMatchObject({ name: query.queryName, savedByUserName: 'owner' });
    const subscription = await fixture.root.get(`/svc/api/subscriptions/${subscribed.resultSubscriptionId}`);
    expect(subscription.body).toMatchObject({
      ownerName: 'owner',
      queryId: made.resultQueryId,
      minimumRowCount: 2,
      recipients: [{ id: recipientId }],
    });
    const contract = await fixture.root.get(`/svc/api/data-quality/contracts/${contracted.resultContractId}`);
    expect(contract.body).toMatchObject({ ownerName: 'owner', rules: [{ type: 'Uniqueness' }] });
    const { rows } = await fixture.svc.database.query(
      `select event, actor_kind, actor_user_id, detail->>'aiActorId' as actor from svc.audit_events
       where event = 'queries.query_created' and subject_id = $1`,
      [made.resultQueryId],
    );
    expect(rows).toEqual([
      {
        event: 'queries.query_created',
        actor_kind: 'ai_actor',
        actor_user_id: fixture.owner.userId,
        actor: String(actorId),
      },
    ]);
    const own = await fixture.owner.client.get(`${path}/${actorId}`);
    expect(own.body).toMatchObject({ queryCount: 1, subscriptionCount: 1, pendingPlanId: null });
    await fixture.root.delete(`/svc/api/data-quality/contracts/${contracted.resultContractId}`);
  });

  test('can be approved in part, but not without the actions that the selected actions require', async () => {
    const query = newQuery();
    const subscribe = action('CreateSubscription', { ...daily, queryName: query.queryName });
    const { plan } = await fixture.propose([query, subscribe, newQuery()]);
    const [first, second, third] = plan.actions.map(({ id }: { id: number }) => id);
    for (const actionIds of [[second], [999_999]]) {
      const refused = await fixture.approve(plan.id, { actionIds });
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid-plan-choice']);
    }
    const answer = await fixture.approve(plan.id, { actionIds: [first, second] });
    expect(answer.status).toBe(200);
    const isApplied = (id: number) =>
      answer.body.actions.find((one: { id: number }) => one.id === id).isApplied;
    expect([first, second, third].map(isApplied)).toEqual([true, true, false]);
  });

  test('is listed among the approvals with its kind and its id, and opens only at its own route', async () => {
    const { plan } = await fixture.propose([newQuery()]);
    const { body } = await fixture.approver.client.get('/svc/api/approvals/pending');
    const listed = body.items.find(({ planId }: { planId: number }) => planId === plan.id);
    expect(listed).toMatchObject({
      kind: 'Plan',
      targetName: plan.actorName,
      isOwn: false,
      status: 'Pending',
    });
    for (const place of [`/svc/api/approvals/${listed.id}`, `/svc/api/approvals/changes/${listed.id}`])
      expect((await fixture.approver.client.get(place)).status).toBe(404);
    await fixture.approve(plan.id);
    const changes = await fixture.approver.client.get('/svc/api/approvals/changes?kind=Plan&status=Approved');
    expect(changes.body.items.map(({ id }: { id: number }) => id)).toContain(listed.id);
  });

  test.each([
    ['reject', { comment: 'No.' }, 'Rejected', 'Rejected'],
    ['request-revision', { feedback: 'Only large ones.' }, 'RevisionRequested', 'Rejected'],
  ])(
    'the action %s ends the plan and sets its approval request to Rejected',
    async (act, body, status, request) => {
      const { plan } = await fixture.propose([newQuery()]);
      await fixture.provider.script({ analysis: '', findings: [], actions: [newQuery()] });
      const answer = await fixture.approver.client.post(`${path}/plans/${plan.id}/${act}`, body);
      expect([202, 204]).toContain(answer.status);
      if (act === 'request-revision') {
        const next = await fixture.endOfThink(plan.actorId, answer.body.thinkId);
        expect(next).toMatchObject({ origin: 'Revision', feedback: 'Only large ones.', state: 'Completed' });
        expect(await fixture.plan(next.planId)).toMatchObject({ version: 2, parentPlanId: plan.id });
      }
      expect(await fixture.plan(plan.id)).toMatchObject({ status, comment: Object.values(body)[0] });
      const { rows } = await fixture.svc.database.query(
        'select status from svc.approval_requests where ai_plan_id = $1',
        [plan.id],
      );
      expect(rows).toEqual([{ status: request }]);
    },
  );

  test('can be withdrawn by its owner, and is replaced by the next version after a refinement', async () => {
    const { plan, actorId } = await fixture.propose([newQuery()]);
    await fixture.provider.script({ analysis: '', findings: [], actions: [newQuery()] });
    const refined = await fixture.owner.client.post(`${path}/${actorId}/refine`, { feedback: 'Smaller.' });
    const next = await fixture.endOfThink(actorId, refined.body.thinkId);
    expect((await fixture.plan(plan.id)).status).toBe('Withdrawn');
    expect(await fixture.plan(next.planId)).toMatchObject({
      version: 2,
      parentPlanId: plan.id,
      status: 'Pending',
    });
    expect((await fixture.owner.client.post(`${path}/plans/${next.planId}/withdraw`)).status).toBe(204);
    expect((await fixture.owner.client.post(`${path}/plans/${next.planId}/withdraw`)).status).toBe(409);
    expect((await fixture.plan(next.planId)).status).toBe('Withdrawn');
  });
});

describe('users who cannot decide on a plan', () => {
  const decisions = [
    ['approve', (planHash: string) => ({ planHash })],
    ['reject', () => ({ comment: 'No.' })],
    ['request-revision', () => ({ feedback: 'More.' })],
  ] as const;

  const refused = async (client: ActorFixture['root'], plan: { id: number; planHash: string }) => {
    for (const [act, bodyOf] of decisions) {
      const answer = await client.post(`${path}/plans/${plan.id}/${act}`, bodyOf(plan.planHash));
      expect([act, answer.status, answer.body.code]).toEqual([act, 403, 'own-plan']);
    }
  };

  test('the owner and the creator of the actor cannot decide, even as an Admin', async () => {
    const { id } = await fixture.make({}, fixture.root);
    const byRoot = fixture.root;
    const ended = await fixture.think(id, thought(newQuery()), byRoot);
    const plan = await fixture.plan(ended.planId);
    await refused(fixture.root, plan);
    const given = await fixture.root.put(`${path}/${id}/owner`, { userId: fixture.owner.userId });
    expect(given.status).toBe(204);
    await refused(fixture.root, plan);
    expect((await fixture.plan(plan.id)).canDecide).toBe(false);
  });

  test('a user who started a think of the plan or of an earlier version cannot decide', async () => {
    const { id } = await fixture.make();
    const ended = await fixture.think(
      id,
      { analysis: '', findings: [], actions: [newQuery()] },
      fixture.root,
    );
    await refused(fixture.root, await fixture.plan(ended.planId));
    await fixture.provider.script({ analysis: '', findings: [], actions: [newQuery()] });
    const asked = await fixture.approver.client.post(`${path}/plans/${ended.planId}/request-revision`, {
      feedback: 'Another one.',
    });
    const next = await fixture.plan((await fixture.endOfThink(id, asked.body.thinkId)).planId);
    await refused(fixture.root, next);
    const pending = await fixture.root.get('/svc/api/approvals/pending');
    const listed = pending.body.items.find(({ planId }: { planId: number }) => planId === next.id);
    expect(listed.isOwn).toBe(true);
  });

  test('an Editor reads a plan with masked rows but cannot decide, and an Approver outside the project sees no rows', async () => {
    const { plan } = await fixture.propose([newQuery({ sql: 'select id, email from orders order by id' })]);
    const answer = await fixture.editor.client.post(`${path}/plans/${plan.id}/reject`, { comment: 'No.' });
    expect(answer.status).toBe(403);
    const seen = await fixture.plan(plan.id, fixture.editor.client);
    expect(seen.actions[0].sample.rows).toHaveLength(3);
    expect(JSON.stringify(seen.actions[0].sample)).not.toContain('example.org');
    expect((await fixture.plan(plan.id, fixture.approver.client)).actions[0].sample).toBeNull();
    const { rows } = await fixture.svc.database.query(
      'select sample_sealed from svc.ai_plan_actions where plan_id = $1',
      [plan.id],
    );
    expect(rows[0].sample_sealed).toMatch(/^v1\./);
  });
});

describe('an Approver who requested a revision', () => {
  test('can approve the next version, while the owner, the creator and the starter of the think still cannot', async () => {
    const { id } = await fixture.make();
    const ended = await fixture.think(id, thought(newQuery()), fixture.root);
    await fixture.provider.script(thought(newQuery()));
    const request = `${path}/plans/${ended.planId}/request-revision`;
    const asked = await fixture.approver.client.post(request, { feedback: 'Another one.' });
    const { planId } = await fixture.endOfThink(id, asked.body.thinkId);
    const database = fixture.svc.database;
    await database.query(`insert into svc.user_roles (user_id, role) values ($1, 'Approver')`, [
      fixture.owner.userId,
    ]);
    for (const client of [fixture.root, fixture.owner.client])
      expect(await fixture.approve(planId, {}, client)).toMatchObject({
        status: 403,
        body: { code: 'own-plan' },
      });
    await database.query(`delete from svc.user_roles where user_id = $1 and role = 'Approver'`, [
      fixture.owner.userId,
    ]);
    expect((await fixture.plan(planId, fixture.approver.client)).canDecide).toBe(true);
    expect((await fixture.approve(planId)).body).toMatchObject({
      status: 'Applied',
      decidedByUserName: 'approver',
    });
  });

  test('can decide after several revisions, while the user who started the first think still cannot', async () => {
    const { id } = await fixture.make();
    const ended = await fixture.think(id, thought(newQuery()), fixture.root);
    const second = await fixture.person('second-approver', 'Approver');
    await fixture.provider.script(thought(newQuery()));
    const request = `${path}/plans/${ended.planId}/request-revision`;
    const asked = await second.post(request, { feedback: 'Another one.' });
    const { planId } = await fixture.endOfThink(id, asked.body.thinkId);
    await fixture.provider.script(thought(newQuery()));
    const again = await second.post(`${path}/plans/${planId}/request-revision`, { feedback: 'One more.' });
    const third = await fixture.endOfThink(id, again.body.thinkId);
    expect(await fixture.approve(third.planId, {}, fixture.root)).toMatchObject({ status: 403 });
    expect((await fixture.approve(third.planId, {}, second)).body).toMatchObject({ status: 'Applied' });
  });
});

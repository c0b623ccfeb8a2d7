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

/** Returns the reasons for actions that code refuses. */
const discarded = async (actions: readonly unknown[], actorId?: number): Promise<string[]> => {
  const id = actorId ?? (await fixture.make()).id;
  const ended = await fixture.think(id, thought(...actions));
  expect(ended).toMatchObject({ state: 'Completed', planId: null, failure: null });
  expect(ended.discarded).toHaveLength(actions.length);
  return ended.discarded.map(({ problem }: { problem: string }) => problem);
};

/** Creates an actor with a query and a subscription. */
const withOwn = async (settings = {}) => {
  const query = newQuery();
  const { id } = await fixture.make(settings);
  const subscribe = action('CreateSubscription', { ...daily, queryName: query.queryName });
  const { actorId, plan } = await fixture.applied([query, subscribe], id);
  const [made, subscribed] = plan.actions;
  return { actorId, queryId: made.resultQueryId, subscriptionId: subscribed.resultSubscriptionId };
};

const refine = (queryId: number) => action('RefineQuery', { queryId, sql: newQuery().sql });

describe('the limits of an AI actor', () => {
  test('an actor cannot act on queries and subscriptions that it did not create', async () => {
    const queryId = await fixture.addQuery('select id from orders where id > 700');
    const { id: subscriptionId } = await fixture.addSubscription({
      queryId,
      recipientIds: [await fixture.addRecipient()],
    });
    const other = await withOwn();
    expect(
      await discarded([
        refine(queryId),
        refine(other.queryId),
        action('CreateSubscription', { ...daily, queryId }),
        action('ArchiveSubscription', { subscriptionId }),
        action('ArchiveSubscription', { subscriptionId: other.subscriptionId }),
      ]),
    ).toEqual([
      'The query is none of the actor.',
      'The query is none of the actor.',
      'The query is none of the actor.',
      'The subscription is none of the actor.',
      'The subscription is none of the actor.',
    ]);
  });

  test('an actor cannot change a locked query or its subscription, neither in a think nor through an earlier plan', async () => {
    const { actorId, queryId, subscriptionId } = await withOwn();
    const acts = [
      refine(queryId),
      action('CreateSubscription', { ...daily, cronExpression: '0 7 * * *', queryId }),
      action('ArchiveSubscription', { subscriptionId }),
    ];
    const { plan } = await fixture.propose(acts, actorId);
    await fixture.root.post(`/svc/api/queries/${queryId}/lock`, { isLocked: true });
    for (const { id } of plan.actions) {
      const refused = await fixture.approve(plan.id, { actionIds: [id] });
      expect([refused.status, refused.body.code]).toEqual([409, 'query-locked']);
    }
    expect(await fixture.plan(plan.id)).toMatchObject({
      status: 'Pending',
      actions: [{ isQueryLocked: true }, {}, {}],
    });
    const problems = await discarded(acts, actorId);
    for (const problem of problems) expect(problem).toMatch(/^The query ".*" is locked\.$/);
    await fixture.root.post(`/svc/api/queries/${queryId}/lock`, { isLocked: false });
    const applied = await fixture.approve(plan.id);
    expect([applied.status, applied.body.detail]).toEqual([200, undefined]);
  });

  test('an actor cannot change a query or subscription that a user has edited since', async () => {
    const { actorId, queryId, subscriptionId } = await withOwn();
    const { body } = await fixture.root.get(`/svc/api/queries/${queryId}`);
    const steps = [{ dataSourceId: fixture.sourceId, sql: newQuery().sql }];
    await fixture.editor.client.put(`/svc/api/queries/${queryId}`, { name: body.name, steps });
    await fixture.editor.client.post(`/svc/api/subscriptions/${subscriptionId}/recipients`, {
      recipientIds: [await fixture.addRecipient()],
    });
    expect(
      await discarded([refine(queryId), action('ArchiveSubscription', { subscriptionId })], actorId),
    ).toEqual([
      `A person has edited the query "${body.name}" since.`,
      'A person has changed the subscription since.',
    ]);
  });

  test('an actor cannot archive a query or perform any other action outside the five permitted types', async () => {
    const { actorId, queryId } = await withOwn();
    for (const type of ['ArchiveQuery', 'DeleteQuery', 'SendNotification', 'ApprovePlan', 'ChangeSettings']) {
      await fixture.provider.script(thought(action(type, { queryId })), thought(action(type, { queryId })));
      const ordered = await fixture.owner.client.post(`${path}/${actorId}/think`);
      const ended = await fixture.endOfThink(actorId, ordered.body.thinkId);
      expect(ended).toMatchObject({ state: 'Failed', failure: { code: 'BadAnswer' }, planId: null });
      await fixture.owner.client.post(`${path}/${actorId}/resume`);
    }
    expect((await fixture.root.get(`/svc/api/queries/${queryId}`)).status).toBe(200);
  });

  test('an actor cannot choose recipients: its subscriptions have only the recipients of its settings', async () => {
    const own = await fixture.addRecipient();
    await fixture.addRecipient();
    const { subscriptionId } = await withOwn({ defaultRecipientIds: [own] });
    const subscription = await fixture.root.get(`/svc/api/subscriptions/${subscriptionId}`);
    expect(subscription.body.recipients.map(({ id }: { id: number }) => id)).toEqual([own]);
    const withoutDefaults = await withOwn();
    const emptySubscription = await fixture.root.get(
      `/svc/api/subscriptions/${withoutDefaults.subscriptionId}`,
    );
    expect(emptySubscription.body).toMatchObject({ recipients: [], createTasks: true });
    const { id } = await fixture.make();
    const withRecipients = { ...newQuery(), recipientIds: [own] };
    await fixture.provider.script(thought(withRecipients), thought(withRecipients));
    const ordered = await fixture.owner.client.post(`${path}/${id}/think`);
    expect(await fixture.endOfThink(id, ordered.body.thinkId)).toMatchObject({
      failure: { code: 'BadAnswer' },
    });
  });

  test('an actor cannot add rules that contain SQL or do not fit the table', async () => {
    const table = { schemaName: 'public', tableName: 'orders', contractName: 'Orders' };
    const { id } = await fixture.make();
    const custom = action('CreateContract', { ...table, rules: [rule({ type: 'CustomSql' })] });
    await fixture.provider.script(thought(custom), thought(custom));
    const ordered = await fixture.owner.client.post(`${path}/${id}/think`);
    expect(await fixture.endOfThink(id, ordered.body.thinkId)).toMatchObject({
      failure: { code: 'BadAnswer' },
    });
    const contract = (more: object) => action('CreateContract', { ...table, ...more });
    const problems = await discarded([
      contract({ rules: [rule({ columns: ['nothing'] })] }),
      contract({ tableName: 'elsewhere', rules: [rule({ columns: ['id'] })] }),
      contract({ rules: [] }),
    ]);
    expect(problems).toEqual([
      '/rules/0/columns/0 is not in the metadata.',
      '/tableName is not in the metadata of the data source.',
      'A contract needs a rule.',
    ]);
  });

  test('an actor cannot repeat an existing query or exceed its limits', async () => {
    const { actorId } = await withOwn({ maxQueries: 2, maxSubscriptionsPerQuery: 1, maxActionsPerPlan: 2 });
    const own = await fixture.root.get(`${path}/${actorId}`);
    const [{ queryId, name }] = own.body.queries;
    const { body } = await fixture.root.get(`/svc/api/queries/${queryId}`);
    const twin = `  ${body.steps[0].sql.toUpperCase().replaceAll(' ', '\n')} ; -- again`;
    expect(
      await discarded(
        [
          newQuery({ sql: twin }),
          newQuery({ queryName: name.toUpperCase() }),
          action('RefineQuery', { queryId, sql: twin }),
          action('CreateSubscription', { ...daily, queryId, cronExpression: '0 9 * * *' }),
        ],
        actorId,
      ),
    ).toEqual([
      `The query "${name}" says this already.`,
      `The project has a query named "${name.toUpperCase()}".`,
      'The query says this already.',
      'A query of the actor may have 1 subscription.',
    ]);
    const ended = await fixture.think(actorId, thought(newQuery(), newQuery(), refine(queryId), newQuery()));
    expect(ended.discarded.map(({ problem }: { problem: string }) => problem)).toEqual([
      'The actor may have 2 queries.',
      'A plan of the actor has at most 2 actions.',
    ]);
  });

  test('a plan cannot exceed the query limit of its actor, even if the limit was lowered after the plan', async () => {
    const { id } = await fixture.make({ maxQueries: 2 });
    const { plan } = await fixture.propose([newQuery(), newQuery()], id);
    await fixture.owner.client.put(`${path}/${id}`, { name: 'Less', instructions: 'Watch.', maxQueries: 1 });
    const refused = await fixture.approve(plan.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'actor-limit-reached']);
    expect((await fixture.root.get(`${path}/${id}`)).body.queryCount).toBe(0);
    expect((await fixture.approve(plan.id, { actionIds: [plan.actions[1].id] })).status).toBe(200);
  });

  test('an actor never receives row values, even after its queries have returned rows', async () => {
    const query = newQuery({ sql: 'select id, email, total from orders where total > 0 order by 2' });
    const subscribe = action('CreateSubscription', { ...daily, queryName: query.queryName });
    const { actorId, plan } = await fixture.applied([query, subscribe]);
    await fixture.runNow(plan.actions[1].resultSubscriptionId);
    await fixture.think(actorId, thought());
    const said = JSON.stringify((await fixture.provider.seen()).at(-1)?.body);
    expect(said).toContain('resultCount');
    expect(said).toContain(query.queryName);
    expect(said).not.toContain('example.org');
    expect(said).not.toMatch(/c[123]@/);
  });

  test('an approval gets 409 and applies nothing while the owner of the actor lacks the required rights', async () => {
    const { id } = await fixture.make();
    const { plan } = await fixture.propose([newQuery(), newQuery()], id);
    const { userId } = fixture.owner;
    await fixture.svc.database.query(`update svc.user_roles set role = 'Viewer' where user_id = $1`, [
      userId,
    ]);
    try {
      const refused = await fixture.approve(plan.id);
      expect([refused.status, refused.body.code]).toEqual([409, 'actor-owner-unfit']);
    } finally {
      await fixture.svc.database.query(`update svc.user_roles set role = 'Editor' where user_id = $1`, [
        userId,
      ]);
    }
    expect((await fixture.root.get(`${path}/${id}`)).body.queryCount).toBe(0);
    await fixture.svc.database.query('update svc.users set is_enabled = false where id = $1', [userId]);
    try {
      expect((await fixture.approve(plan.id)).body.code).toBe('actor-owner-unfit');
    } finally {
      await fixture.svc.database.query('update svc.users set is_enabled = true where id = $1', [userId]);
    }
    expect((await fixture.approve(plan.id)).status).toBe(200);
  });

  test('disabling the owner during an approval never leaves a plan partly applied', async () => {
    const { id } = await fixture.make();
    const { plan } = await fixture.propose([newQuery(), newQuery(), newQuery()], id);
    const { userId } = fixture.owner;
    const [answer] = await Promise.all([
      fixture.approve(plan.id),
      fixture.svc.database.query('update svc.users set is_enabled = false where id = $1', [userId]),
    ]);
    await fixture.svc.database.query('update svc.users set is_enabled = true where id = $1', [userId]);
    const { queryCount } = (await fixture.root.get(`${path}/${id}`)).body;
    expect([answer.status, queryCount]).toEqual(answer.status === 200 ? [200, 3] : [409, 0]);
  });

  test('the owner of an actor cannot approve its plan, even with the role Approver', async () => {
    const { plan } = await fixture.propose([newQuery()]);
    await fixture.svc.database.query(`insert into svc.user_roles (user_id, role) values ($1, 'Approver')`, [
      fixture.owner.userId,
    ]);
    const answer = await fixture.approve(plan.id, {}, fixture.owner.client);
    expect([answer.status, answer.body.code]).toEqual([403, 'own-plan']);
    await fixture.svc.database.query(`delete from svc.user_roles where user_id = $1 and role = 'Approver'`, [
      fixture.owner.userId,
    ]);
  });
});

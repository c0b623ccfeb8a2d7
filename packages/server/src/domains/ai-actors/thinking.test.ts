import { endOfJob, fireTick, requeueToItsEnd } from '@svc/testkit/runs/ticks.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ActorFixture,
  action,
  newQuery,
  path,
  startActorFixture,
  thought,
} from './testing/actor-fixture.ts';

let fixture: ActorFixture;
beforeAll(async () => {
  fixture = await startActorFixture();
});
afterAll(async () => fixture?.close());

const actorOf = async (id: number) => (await fixture.root.get(`${path}/${id}`)).body;
const noticesOf = async (actorId: number, client = fixture.owner.client) =>
  (await client.get('/svc/api/notices?pageSize=200')).body.items.filter(
    ({ subjectKind, subjectId }: { subjectKind: string; subjectId: number }) =>
      subjectKind === 'AiActor' && subjectId === actorId,
  );
const sql = (statement: string, values: unknown[] = []) => fixture.svc.database.query(statement, values);

/** Makes a schedule due now, with milliseconds: a due time fires once, and the current minute may have fired already. */
const becomesDue = (schedule: string) =>
  sql(`update svc_jobs.schedule set next_due_at = date_trunc('milliseconds', now()) where key = $1`, [
    schedule,
  ]);

/** Waits for the next finished think that no user ordered. */
const nextThink = (actorId: number, seen: number) =>
  until('a think that nobody ordered', async () => {
    const { body } = await fixture.root.get(`${path}/${actorId}/thinks`);
    return body.items.length > seen && body.items[0].finishedAt !== null ? body.items[0] : undefined;
  });

describe('failed thinks of an actor', () => {
  const broken = 'this is no JSON';

  test('three in a row set the actor to Failed and notify its owner once', async () => {
    const { id } = await fixture.make();
    for (const failedThinks of [1, 2, 3]) {
      await fixture.provider.script(broken, broken);
      const { thinkId } = (await fixture.owner.client.post(`${path}/${id}/think`)).body;
      const ended = await fixture.endOfThink(id, thinkId);
      expect(ended).toMatchObject({ state: 'Failed', failure: { code: 'BadAnswer' }, planId: null });
      const actor = await actorOf(id);
      expect([actor.state, actor.lastFailure]).toEqual([
        failedThinks < 3 ? 'Active' : 'Failed',
        ended.failure.message,
      ]);
    }
    expect(await noticesOf(id)).toMatchObject([
      { kind: 'ActorFailed', text: expect.stringContaining('failed three times') },
    ]);
    const refused = await fixture.owner.client.post(`${path}/${id}/think`);
    expect([refused.status, refused.body.code]).toEqual([409, 'actor-not-active']);
    const resumed = await fixture.owner.client.post(`${path}/${id}/resume`);
    expect(resumed.body).toMatchObject({ state: 'Active', lastFailure: null });
  });

  test('the count of consecutive failures restarts after a successful think', async () => {
    const { id } = await fixture.make();
    for (const answers of [
      [broken, broken],
      [broken, broken],
      [thought()],
      [broken, broken],
      [broken, broken],
    ]) {
      await fixture.provider.script(...answers);
      const { thinkId } = (await fixture.owner.client.post(`${path}/${id}/think`)).body;
      await fixture.endOfThink(id, thinkId);
    }
    expect((await actorOf(id)).state).toBe('Active');
  });
});

describe('the token budget of an actor', () => {
  test('prevents a call that could exceed the monthly limit, and refuses the next think when it is spent', async () => {
    const { id } = await fixture.make({ monthlyTokens: 100 });
    const before = (await fixture.provider.seen()).length;
    const ended = await fixture.think(id, thought(newQuery()));
    expect(ended).toMatchObject({ state: 'Failed', failure: { code: 'BudgetSpent' } });
    expect(await fixture.provider.seen()).toHaveLength(before);
    await sql(
      `insert into svc.llm_budgets (scope, subject_id, starts_on, spent)
       values ('ActorMonth', $1, date_trunc('month', now() at time zone 'UTC')::date, 100)
       on conflict (scope, subject_id, starts_on) do update set spent = 100`,
      [id],
    );
    const refused = await fixture.owner.client.post(`${path}/${id}/think`);
    expect([refused.status, refused.body.code]).toEqual([409, 'llm-budget-spent']);
    expect(await actorOf(id)).toMatchObject({ state: 'Active', tokensThisMonth: 100 });
  });

  test('counts the tokens of each think, and the actor shows the sum of the month', async () => {
    const { id } = await fixture.make();
    await fixture.think(id, thought());
    await fixture.think(id, thought());
    expect(await actorOf(id)).toMatchObject({ totalTokens: 36, tokensThisMonth: 36, thinkCount: 2 });
    const { rows } = await sql(
      `select scope, spent::int, reserved::int from svc.llm_budgets where scope = 'ActorMonth' and subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ scope: 'ActorMonth', spent: 36, reserved: 0 }]);
  });
});

describe('an owner who lost the required rights', () => {
  test.each([
    ['is disabled', 'update svc.users set is_enabled = false where id = $1'],
    ['is below Editor', `update svc.user_roles set role = 'Viewer' where user_id = $1`],
  ])('the actor pauses automatically and sends a notice if its owner %s', async (_why, statement) => {
    const { id } = await fixture.make({ thinkSchedule: '0 6 * * *' });
    const { userId } = fixture.owner;
    await sql(statement, [userId]);
    try {
      await becomesDue('maintenance:ai-actors');
      await until('the pause of the actor', async () => (await actorOf(id)).state === 'Paused' || undefined);
      const { rows } = await sql(
        `select kind from svc.notices where subject_kind = 'AiActor' and subject_id = $1`,
        [id],
      );
      expect(rows.map(({ kind }) => kind)).toContain('ActorPaused');
      expect((await actorOf(id)).nextThinkAt).toBeNull();
      const refused = await fixture.root.post(`${path}/${id}/resume`);
      expect([refused.status, refused.body.code]).toEqual([409, 'actor-owner-unfit']);
    } finally {
      await sql('update svc.users set is_enabled = true where id = $1', [userId]);
      await sql(`update svc.user_roles set role = 'Editor' where user_id = $1`, [userId]);
    }
    expect((await fixture.root.post(`${path}/${id}/resume`)).body.state).toBe('Active');
  });
});

describe('automatic thinks of an actor', () => {
  test('start after a run of a subscription of the actor, at most once an hour, and not while a plan is pending', async () => {
    const query = newQuery();
    const daily = { cronExpression: '0 6 * * *' };
    const subscribe = action('CreateSubscription', { ...daily, queryName: query.queryName });
    const { id } = await fixture.make({ isThinkingAfterRuns: true });
    const { plan } = await fixture.applied([query, subscribe], id);
    const subscriptionId = plan.actions[1].resultSubscriptionId;
    await fixture.provider.script(thought(newQuery()));
    await fixture.runNow(subscriptionId);
    const think = await nextThink(id, 1);
    expect(think).toMatchObject({ origin: 'AfterRun', orderedByUserName: null, planId: expect.any(Number) });
    await fixture.runNow(subscriptionId);
    await sql(`update svc.ai_thinks set ordered_at = ordered_at - interval '2 hours' where actor_id = $1`, [
      id,
    ]);
    await fixture.runNow(subscriptionId);
    const { body } = await fixture.root.get(`${path}/${id}/thinks`);
    expect(body.totalCount).toBe(2);
  });

  test('start by the schedule of the actor, until the actor is paused', async () => {
    const { id } = await fixture.make({ thinkSchedule: '*/5 * * * *', timeZone: 'Europe/Zagreb' });
    expect(await actorOf(id)).toMatchObject({ nextThinkAt: expect.any(String), timeZone: 'Europe/Zagreb' });
    const dense = await fixture.owner.client.post(path, {
      projectId: fixture.projectId,
      dataSourceId: fixture.sourceId,
      name: 'Dense',
      instructions: 'Watch.',
      thinkSchedule: 'every day',
    });
    expect([dense.status, dense.body.code]).toEqual([400, 'invalid-schedule']);
    await fixture.provider.script(thought(newQuery()));
    await becomesDue(`ai-actor:${id}`);
    expect(await nextThink(id, 0)).toMatchObject({ origin: 'Schedule', planId: expect.any(Number) });
    await fixture.owner.client.post(`${path}/${id}/pause`);
    expect((await actorOf(id)).nextThinkAt).toBeNull();
  });

  test('start once for each due time: a tick that is requeued manually orders no second think', async () => {
    const { id } = await fixture.make({ thinkSchedule: '*/5 * * * *', timeZone: 'Europe/Zagreb' });
    await fixture.provider.script(thought());
    const { slotAt, jobId } = await fireTick(fixture.svc.database, `ai-actor:${id}`);
    const think = await nextThink(id, 0);
    await endOfJob(fixture.svc.database, jobId);
    const name = `The think of ${slotAt.toISOString()} (${think.id})`;
    expect(await requeueToItsEnd(fixture.svc.database, jobId)).toEqual([
      `${name} has ended as Completed. No second think is ordered.`,
    ]);
    await fixture.owner.client.post(`${path}/${id}/pause`);
    const { body } = await fixture.root.get(`${path}/${id}/thinks`);
    expect(body.totalCount).toBe(1);
  });
});

describe('an actor without plan approval', () => {
  const free = async (isFree: boolean) => {
    const { id } = await fixture.make();
    const settings = { name: `Free ${id}`, instructions: 'Watch.', requiresApproval: !isFree };
    return { id, answer: await fixture.root.put(`${path}/${id}`, settings) };
  };

  test('saves a new query immediately, while a new subscription still needs approval', async () => {
    const { id, answer } = await free(true);
    expect([answer.status, answer.body.requiresApproval]).toEqual([200, false]);
    const query = newQuery();
    const subscribe = action('CreateSubscription', {
      cronExpression: '0 6 * * *',
      queryName: query.queryName,
    });
    const ended = await fixture.think(id, thought(query, subscribe));
    expect(ended.applied).toMatchObject([{ type: 'CreateQuery', queryName: query.queryName }]);
    const plan = await fixture.plan(ended.planId);
    expect(plan.actions).toMatchObject([{ type: 'CreateSubscription', queryId: ended.applied[0].queryId }]);
    expect((await actorOf(id)).subscriptionCount).toBe(0);
    expect((await fixture.approve(plan.id)).status).toBe(200);
    expect(await actorOf(id)).toMatchObject({ queryCount: 1, subscriptionCount: 1 });
  });

  test('can be configured only by an Admin', async () => {
    const { id } = await fixture.make();
    const settings = { name: 'Free', instructions: 'Watch.', requiresApproval: false };
    const refused = await fixture.owner.client.put(`${path}/${id}`, settings);
    expect([refused.status, refused.body.code]).toEqual([403, 'approval-set-by-admin']);
    const made = { ...settings, projectId: fixture.projectId, dataSourceId: fixture.sourceId };
    expect((await fixture.owner.client.post(path, made)).status).toBe(403);
  });
});

describe('the approval workflow for queries', () => {
  let covered: ActorFixture;
  beforeAll(async () => {
    covered = await startActorFixture({
      'Svc:ApprovalWorkflow:Enabled': true,
      'Svc:ApprovalWorkflow:CoversQueries': true,
    });
  });
  afterAll(async () => covered?.close());

  test('an approved plan also approves its queries', async () => {
    const { plan } = await covered.applied([newQuery()]);
    const { body } = await covered.root.get(`/svc/api/queries/${plan.actions[0].resultQueryId}`);
    expect(body).toMatchObject({ versionNumber: 1, pendingVersion: null });
  });

  test('a query from an actor without plan approval waits for approval, requested by the owner of the actor', async () => {
    const { id } = await covered.make();
    await covered.root.put(`${path}/${id}`, {
      name: 'Free',
      instructions: 'Watch.',
      requiresApproval: false,
    });
    const ended = await covered.think(id, thought(newQuery()));
    const { queryId } = ended.applied[0];
    const { body } = await covered.root.get(`/svc/api/queries/${queryId}`);
    expect(body).toMatchObject({ versionNumber: null, pendingVersion: { requestedByUserName: 'owner' } });
  });
});

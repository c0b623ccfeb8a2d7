import { addProject } from '@svc/testkit/people/projects.ts';
import { setRoles } from '@svc/testkit/people/users.ts';
import { startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ActorFixture, newQuery, path, startActorFixture, thought } from './testing/actor-fixture.ts';

let fixture: ActorFixture;
beforeAll(async () => {
  fixture = await startActorFixture();
});
afterAll(async () => fixture?.close());

const body = (more: object = {}) => ({
  projectId: fixture.projectId,
  dataSourceId: fixture.sourceId,
  name: 'An actor',
  instructions: 'Watch.',
  ...more,
});
const post = (more: object) => fixture.owner.client.post(path, body(more));

describe('status 400', () => {
  test.each([
    ['a blank name', { name: ' ' }, undefined],
    ['no instructions', { instructions: '' }, undefined],
    ['instructions that are too long', { instructions: 'x'.repeat(4_001) }, undefined],
    ['an unknown member', { state: 'Active' }, undefined],
    ['a limit of zero', { maxQueries: 0 }, undefined],
    ['an invalid schedule', { thinkSchedule: 'now and then' }, 'invalid-schedule'],
    ['an unknown time zone', { thinkSchedule: '0 6 * * *', timeZone: 'Europe/Nowhere' }, 'invalid-schedule'],
    ['a schedule with too short intervals', { thinkSchedule: '* * * * * *' }, 'schedule-too-dense'],
    ['a recipient that does not exist', { defaultRecipientIds: [999_999] }, 'invalid-ai-actor'],
  ])('refuses %s with 400', async (_what, more, code) => {
    const answer = await post(more);
    expect(answer.status, answer.text).toBe(400);
    if (code !== undefined) expect(answer.body.code).toBe(code);
  });

  test('refuses a data source without SQL with 400', async () => {
    const connection = { baseUrl: 'https://api.example.com/v1', endpoints: ['/orders'] };
    const source = { name: 'API', engine: 'Rest', connection };
    const { id: dataSourceId } = (await fixture.root.post('/svc/api/data-sources', source)).body;
    const links = `/svc/api/projects/${fixture.projectId}/data-sources`;
    expect((await fixture.root.post(links, { dataSourceId })).status).toBeLessThan(300);
    const answer = await post({ dataSourceId });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid-ai-actor']);
    expect(answer.body.errors).toMatchObject([{ path: '/dataSourceId' }]);
    await fixture.root.delete(`${links}/${dataSourceId}`);
  });

  test('refuses an owner who cannot write in the project with 400', async () => {
    const { id } = await fixture.make();
    const { userId } = fixture.editor;
    await setRoles(fixture.svc.database, userId, ['Viewer']);
    const answer = await fixture.root.put(`${path}/${id}/owner`, { userId });
    await setRoles(fixture.svc.database, userId, ['Editor']);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid-ai-actor']);
  });

  test('refuses blank feedback and a blank comment with 400', async () => {
    const { plan, actorId } = await fixture.propose([newQuery()]);
    expect((await fixture.owner.client.post(`${path}/${actorId}/refine`, { feedback: ' ' })).status).toBe(
      400,
    );
    const { client } = fixture.approver;
    expect((await client.post(`${path}/plans/${plan.id}/reject`, { comment: ' ' })).status).toBe(400);
    expect((await client.post(`${path}/plans/${plan.id}/request-revision`, { feedback: '' })).status).toBe(
      400,
    );
  });
});

describe('status 403', () => {
  test('refuses an Editor who changes the actor of another owner, starts its think or withdraws its plan', async () => {
    const { plan, actorId } = await fixture.propose([newQuery()]);
    const { client } = fixture.editor;
    const settings = { name: 'Mine', instructions: 'Mine.' };
    const answers = [
      await client.put(`${path}/${actorId}`, settings),
      await client.delete(`${path}/${actorId}`),
      await client.post(`${path}/${actorId}/think`),
      await client.post(`${path}/${actorId}/refine`, { feedback: 'Mine.' }),
      await client.post(`${path}/${actorId}/pause`),
      await client.post(`${path}/plans/${plan.id}/withdraw`),
    ];
    expect(answers.map((answer) => [answer.status, answer.body.code])).toEqual(
      answers.map(() => [403, 'not-your-actor']),
    );
  });
});

describe('status 404', () => {
  test('returns 404 for a data source outside the project and for unknown actors and plans', async () => {
    const other = await addProject(fixture.owner.client, 'Without a source');
    expect((await post({ projectId: other })).status).toBe(404);
    expect((await post({ projectId: 999_999 })).status).toBe(404);
    for (const place of [
      `${path}/999999`,
      `${path}/999999/thinks`,
      `${path}/999999/plans`,
      `${path}/plans/999999`,
    ])
      expect((await fixture.root.get(place)).status, place).toBe(404);
  });
});

describe('status 409', () => {
  test('refuses a think with 409 while the actor is thinking, and a change with 409 after it is archived', async () => {
    const { id } = await fixture.make();
    await fixture.svc.database.query(`insert into svc.ai_thinks (actor_id, origin) values ($1, 'Schedule')`, [
      id,
    ]);
    const busy = await fixture.owner.client.post(`${path}/${id}/think`);
    expect([busy.status, busy.body.code]).toEqual([409, 'actor-thinking']);
    expect((await fixture.owner.client.delete(`${path}/${id}`)).status).toBe(204);
    const { rows } = await fixture.svc.database.query('select state from svc.ai_thinks where actor_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ state: 'Cancelled' }]);
    const settings = { name: 'Again', instructions: 'Watch.' };
    const changed = await fixture.owner.client.put(`${path}/${id}`, settings);
    expect([changed.status, changed.body.code]).toEqual([409, 'actor-not-active']);
    expect((await fixture.owner.client.delete(`${path}/${id}`)).status).toBe(204);
  });

  test('refuses thinks with 409 without a language model, while the actor can be created and paused', async () => {
    const bare = await startRunFixture();
    const made = await bare.make(path, { ...body(), projectId: bare.projectId, dataSourceId: bare.sourceId });
    for (const [act, sent] of [
      ['think', undefined],
      ['refine', { feedback: 'More.' }],
    ] as const) {
      const answer = await bare.root.post(`${path}/${made.id}/${act}`, sent);
      expect([answer.status, answer.body.code]).toEqual([409, 'llm-not-configured']);
    }
    expect((await bare.root.post(`${path}/${made.id}/pause`)).body.state).toBe('Paused');
    await bare.close();
  });

  test('archiving an actor expires its plan', async () => {
    const { plan, actorId } = await fixture.propose([newQuery()]);
    await fixture.owner.client.delete(`${path}/${actorId}`);
    expect((await fixture.plan(plan.id)).status).toBe('Expired');
    const late = await fixture.approver.client.post(`${path}/plans/${plan.id}/approve`, {
      planHash: plan.planHash,
    });
    expect([late.status, late.body.code]).toEqual([409, 'plan-over']);
  });
});

describe('the events of a plan', () => {
  test('are in the audit log and are sent to the hub', async () => {
    const { plan, actorId } = await fixture.propose([newQuery()]);
    await fixture.approve(plan.id);
    const { rows } = await fixture.svc.database.query(
      `select event from svc.audit_events where subject_kind = 'ai_actor' and subject_id = $1 order by id`,
      [actorId],
    );
    expect(rows.map(({ event }) => event)).toEqual([
      'ai_actors.actor_created',
      'ai_actors.think_ordered',
      'ai_actors.think_completed',
      'ai_actors.plan_applied',
    ]);
    const planEvents = await fixture.svc.database.query(
      `select payload->'payload'->>'status' as status from svc.events
       where payload->>'event' = 'AiPlanChanged' and (payload->'payload'->>'planId')::int = $1 order by id`,
      [plan.id],
    );
    expect(planEvents.rows).toEqual([{ status: 'Pending' }, { status: 'Applied' }]);
  });
});

test('a think stores its origin, its requester and its result', async () => {
  const { id } = await fixture.make();
  const ended = await fixture.think(id, thought(newQuery({ sql: 'select nothing from nowhere' })));
  expect(ended).toMatchObject({
    origin: 'Request',
    orderedByUserName: 'owner',
    planId: null,
    model: 'script',
  });
  expect(ended.discarded).toHaveLength(1);
});

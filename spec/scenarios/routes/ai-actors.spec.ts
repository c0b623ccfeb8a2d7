import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addUser, signIn } from '@svc/testkit/people/people.ts';
import type { DeliveryFixture } from '@svc/testkit/runs/delivery-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { type LlmProviderProcess, startLlmProvider } from '@svc/testkit/outside/llm-provider.ts';
import { expect } from 'vitest';
import { type ScenarioContext, scenario } from '../support/scenario.ts';

const path = '/svc/api/ai-actors';

/** Returns an action as a model answers it: with all members, and null for members of other action types. */
const action = (type: string, more: Readonly<Record<string, unknown>>) => ({
  type,
  reasoning: 'It is worth it.',
  queryId: null,
  queryName: null,
  description: null,
  sql: null,
  cronExpression: null,
  notificationTrigger: null,
  minimumRowCount: null,
  subscriptionId: null,
  schemaName: null,
  tableName: null,
  contractName: null,
  rules: [],
  ...more,
});
const thought = (...actions: readonly unknown[]) => ({ analysis: 'As it is.', findings: [], actions });
const check = (name: string, sql: string) => action('CreateQuery', { queryName: name, sql });

type Stage = {
  readonly fixture: DeliveryFixture;
  readonly provider: LlmProviderProcess;
  readonly owner: { readonly client: HttpClient; readonly userId: number };
  readonly approver: HttpClient;
  readonly make: (name: string) => Promise<number>;
  /** Starts a think of an actor and waits for its end. */
  readonly think: (
    actorId: number,
    ...answers: readonly unknown[]
  ) => Promise<{
    readonly state: string;
    readonly planId: number | null;
    readonly discarded: { problem: string }[];
  }>;
  readonly approve: (planId: number) => ReturnType<HttpClient['post']>;
};

/** Starts a service with a scripted model, an Editor who owns actors, and an Approver. */
async function stage({ deliver, onEnd }: Pick<ScenarioContext, 'deliver' | 'onEnd'>): Promise<Stage> {
  const provider = await startLlmProvider();
  onEnd(provider.close);
  const fixture = await deliver({
    'Svc:LLM:TrustedHosts': ['127.0.0.1'],
    'Svc:LLM:Provider': 'OpenAiCompatible',
    'Svc:LLM:Endpoint': `${provider.origin}/v1`,
    'Svc:LLM:Model': 'script',
  });
  const { svc, root, source, projectId, dataSourceId } = fixture;
  await source.sql(
    `create table guests (id int, email text, room text);
     insert into guests values (7, 'planted@example.org', 'planted-room')`,
  );
  await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {});
  const person = async (name: string, role: 'Editor' | 'Approver') => {
    const made = await addUser(svc, name, [role]);
    return { userId: made.userId, client: await signIn(svc, made) };
  };
  const owner = await person('owner', 'Editor');
  const approver = (await person('approver', 'Approver')).client;
  return {
    fixture,
    provider,
    owner,
    approver,
    make: async (name) => {
      const made = await owner.client.post(path, {
        projectId,
        dataSourceId,
        name,
        instructions: 'Watch the guests.',
      });
      expect(made.status, made.text).toBe(201);
      return made.body.id;
    },
    think: async (actorId, ...answers) => {
      await provider.script(...answers);
      const ordered = await owner.client.post(`${path}/${actorId}/think`);
      expect(ordered.status, ordered.text).toBe(202);
      return until('the end of a think', async () => {
        const { body } = await root.get(`${path}/${actorId}/thinks`);
        const thinkRecord = body.items.find(({ id }: { id: number }) => id === ordered.body.thinkId);
        return thinkRecord?.finishedAt ? thinkRecord : undefined;
      });
    },
    approve: async (planId) => {
      const { planHash } = (await approver.get(`${path}/plans/${planId}`)).body;
      return approver.post(`${path}/plans/${planId}/approve`, { planHash });
    },
  };
}

scenario(
  ['RT-2-13', 'RT-4.3-52', 'RT-4.3-591', 'RT-4.3-592'],
  'the owner of an AI actor can create, read, change, pause, resume and archive it, and another Editor cannot',
  async ({ deliver, onEnd }) => {
    const { fixture, owner, make } = await stage({ deliver, onEnd });
    const id = await make('Guests');
    const at = `${path}/${id}`;
    expect((await owner.client.get(path)).body.items).toMatchObject([
      { id, name: 'Guests', state: 'Active' },
    ]);
    const settings = { name: 'All guests', instructions: 'Watch them all.' };
    const stale = await owner.client.put(at, settings, { headers: { 'if-match': '"7"' } });
    expect(stale.status).toBe(412);
    const changed = await owner.client.put(at, settings, { headers: { 'if-match': '"1"' } });
    expect(changed.body).toMatchObject({ name: 'All guests', version: 2 });
    const other = await signIn(fixture.svc, await addUser(fixture.svc, 'other', ['Editor']));
    for (const act of ['think', 'pause', 'resume'])
      expect((await other.post(`${at}/${act}`)).status).toBe(403);
    expect((await other.put(at, settings)).status).toBe(403);
    expect((await owner.client.post(`${at}/pause`)).body.state).toBe('Paused');
    expect((await owner.client.post(`${at}/pause`)).status).toBe(409);
    expect((await owner.client.post(`${at}/resume`)).body.state).toBe('Active');
    expect((await owner.client.delete(at)).status).toBe(204);
    expect((await owner.client.get(at)).body.state).toBe('Archived');
    expect((await owner.client.get(path)).body.items).toEqual([]);
    expect((await owner.client.post(`${at}/resume`)).status).toBe(409);
  },
);

scenario(
  ['RT-4.3-53'],
  'a UserAdmin without project access can transfer an AI actor to another owner, who must be a writer of the project',
  async ({ deliver, onEnd }) => {
    const { fixture, owner, make } = await stage({ deliver, onEnd });
    const id = await make('Guests');
    const { svc } = fixture;
    const heir = await addUser(svc, 'heir', ['Editor']);
    const reader = await addUser(svc, 'reader', ['Viewer']);
    const at = `${path}/${id}/owner`;
    expect((await owner.client.put(at, { userId: heir.userId })).status).toBe(403);
    const userAdmin = await signIn(svc, await addUser(svc, 'keeper', ['UserAdmin']));
    expect((await userAdmin.put(at, { userId: reader.userId })).status).toBe(400);
    expect((await userAdmin.put(at, { userId: 999_999 })).status).toBe(400);
    expect((await userAdmin.put(at, { userId: heir.userId })).status).toBe(204);
    const heirs = await signIn(svc, heir);
    expect((await heirs.get(`${path}/${id}`)).body).toMatchObject({
      ownerUserId: heir.userId,
      canManage: true,
    });
    expect((await owner.client.post(`${path}/${id}/pause`)).status).toBe(403);
  },
);

scenario(
  ['RT-4.3-590', 'RT-4.3-593', 'RT-4.3-594', 'RT-4.3-595', 'RT-4.3-596', 'RT-4.3-597', 'RT-4.3-604'],
  'the proposals of an AI actor wait as a plan until an uninvolved user approves it, and are applied as the owner',
  async ({ deliver, onEnd }) => {
    const { fixture, provider, owner, approver, make, think, approve } = await stage({ deliver, onEnd });
    const { root, svc } = fixture;
    const id = await make('Guests');
    const first = await think(id, thought(check('No address', `select id from guests where email is null`)));
    const planId = Number(first.planId);
    expect((await root.get('/svc/api/queries')).body.totalCount).toBe(0);
    const pending = await approver.get('/svc/api/approvals/pending');
    expect(pending.body.items).toMatchObject([{ kind: 'Plan', planId, targetName: 'Guests' }]);
    await svc.sql(`insert into svc.user_roles (user_id, role) values ($1, 'Approver')`, [owner.userId]);
    const { planHash } = (await owner.client.get(`${path}/plans/${planId}`)).body;
    expect((await owner.client.post(`${path}/plans/${planId}/approve`, { planHash })).body.code).toBe(
      'own-plan',
    );

    await provider.script(
      thought(
        check('No address', `select id from guests where email = ''`),
        check('Twins', `select email from guests group by email having count(*) > 1`),
      ),
    );
    const refined = await owner.client.post(`${path}/${id}/refine`, { feedback: 'Empty ones, and twins.' });
    expect(refined.status).toBe(202);
    const next = await until('the next version', async () => {
      const { body } = await root.get(`${path}/${id}/plans?status=Pending`);
      return body.items.find((plan: { id: number }) => plan.id !== planId);
    });
    expect(next).toMatchObject({ version: 2, parentPlanId: planId, actionCount: 2 });

    // If one action fails, the service applies no action.
    const blocked = await root.post('/svc/api/queries', {
      projectId: fixture.projectId,
      name: 'Elsewhere',
      steps: [{ dataSourceId: fixture.dataSourceId, sql: 'select 1' }],
    });
    expect(blocked.status).toBe(201);
    await svc.sql(`update svc.user_roles set role = 'Viewer' where user_id = $1 and role = 'Editor'`, [
      owner.userId,
    ]);
    const refused = await approve(next.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'actor-owner-unfit']);
    expect((await root.get('/svc/api/queries')).body.totalCount).toBe(1);
    await svc.sql(`update svc.user_roles set role = 'Editor' where user_id = $1 and role = 'Viewer'`, [
      owner.userId,
    ]);
    await svc.sql('update svc.ai_actors set max_queries = 1 where id = $1', [id]);
    expect((await approve(next.id)).body.code).toBe('actor-limit-reached');
    expect((await root.get('/svc/api/queries')).body.totalCount).toBe(1);
    await svc.sql('update svc.ai_actors set max_queries = 10 where id = $1', [id]);
    expect((await approve(next.id)).body).toMatchObject({ status: 'Applied', decidedByUserName: 'approver' });
    const saved = (await root.get('/svc/api/queries?sort=name')).body.items;
    expect(saved.map(({ name }: { name: string }) => name)).toEqual(['Elsewhere', 'No address', 'Twins']);
    const query = (await root.get(`/svc/api/queries/${saved[1].id}`)).body;
    expect(query.savedByUserName).toBe('owner');
  },
);

scenario(
  ['RT-4.3-598', 'RT-4.3-599'],
  'a plan expires after 14 days, and with 409 if a table that it reads has changed',
  async ({ deliver, onEnd }) => {
    const { fixture, make, think, approve } = await stage({ deliver, onEnd });
    const { svc, root, source, dataSourceId } = fixture;
    const id = await make('Guests');
    const { planId } = await think(
      id,
      thought(check('No address', `select id from guests where email is null`)),
    );
    await source.sql('alter table guests add column arrived date');
    await svc.sql('update svc.data_sources set metadata_refresh_asked_at = null');
    expect(
      (await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`, {})).status,
    ).toBeLessThan(300);
    const refused = await approve(Number(planId));
    expect([refused.status, refused.body.code]).toEqual([409, 'plan-stale']);
    expect((await root.get(`${path}/plans/${planId}`)).body).toMatchObject({
      status: 'Expired',
      planHash: null,
    });

    const later = await think(
      id,
      thought(check('Not arrived', `select id from guests where arrived is null`)),
    );
    const { createdTime, expiresAt } = (await root.get(`${path}/plans/${later.planId}`)).body;
    expect(Date.parse(expiresAt) - Date.parse(createdTime)).toBe(14 * 86_400_000);
    await svc.sql(`update svc.ai_plans set expires_at = now() - interval '1 second' where id = $1`, [
      later.planId,
    ]);
    // Sets a new due time: a due time fires once, and the due time of this minute may have fired.
    await svc.sql(
      `update svc_jobs.schedule set next_due_at = date_trunc('milliseconds', now()) where key = 'maintenance:ai-actors'`,
    );
    await until('the end of the plan', async () => {
      const { body } = await root.get(`${path}/plans/${later.planId}`);
      return body.status === 'Expired' || undefined;
    });
  },
);

scenario(
  ['RT-4.3-600', 'RT-4.3-601', 'RT-4.3-602'],
  'an AI actor changes neither records of others nor locked queries, and no row is sent to the model',
  async ({ deliver, onEnd }) => {
    const { fixture, provider, owner, make, think, approve } = await stage({ deliver, onEnd });
    const { root, addQuery } = fixture;
    const id = await make('Guests');
    const foreign = await addQuery('select id from guests where id > 3', 'Not its own');
    const sql = 'select id from guests where email is null';
    const made = await think(
      id,
      thought(check('Mine', sql), action('RefineQuery', { queryId: foreign, sql: `${sql} or id < 0` })),
    );
    expect(made.discarded).toMatchObject([{ problem: 'The query is none of the actor.' }]);
    const applied = await approve(Number(made.planId));
    const queryId = applied.body.actions[0].resultQueryId;
    const refine = action('RefineQuery', { queryId, sql: `${sql} or id < 0` });
    const { planId } = await think(id, thought(refine));
    await root.post(`/svc/api/queries/${queryId}/lock`, { isLocked: true });
    const refused = await approve(Number(planId));
    expect([refused.status, refused.body.code]).toEqual([409, 'query-locked']);
    expect((await think(id, thought(refine))).discarded).toMatchObject([
      { problem: 'The query "Mine" is locked.' },
    ]);
    expect((await root.get(`/svc/api/queries/${queryId}`)).body.steps[0].sql).toBe(sql);

    const everybody = 'select email, room from guests';
    const firstThink = await think(id, thought(check('Everybody', everybody)));
    expect((await root.get(`${path}/plans/${firstThink.planId}`)).text).toContain('planted-room');
    await provider.script(thought());
    const refined = await owner.client.post(`${path}/${id}/refine`, { feedback: 'Fewer of them.' });
    expect(refined.status).toBe(202);
    await until('the end of the refinement', async () => {
      const { items } = (await root.get(`${path}/${id}/thinks`)).body;
      const ended = items.find((one: { id: number }) => one.id === refined.body.thinkId);
      return ended?.finishedAt ?? undefined;
    });
    const sent = JSON.stringify((await provider.seen()).map(({ body }) => body));
    for (const promptText of [everybody, 'Fewer of them.']) expect(sent).toContain(promptText);
    expect(sent).not.toContain('planted');
  },
);

scenario(
  ['RT-4.3-603'],
  'three consecutive failures stop an AI actor until a user resumes it',
  async ({ deliver, onEnd }) => {
    const { owner, make, think } = await stage({ deliver, onEnd });
    const id = await make('Guests');
    for (const _ of [1, 2, 3]) expect((await think(id, 'no value', 'no value')).state).toBe('Failed');
    expect((await owner.client.get(`${path}/${id}`)).body.state).toBe('Failed');
    expect((await owner.client.post(`${path}/${id}/think`)).status).toBe(409);
    expect((await owner.client.post(`${path}/${id}/resume`)).body.state).toBe('Active');
    expect((await think(id, thought())).state).toBe('Completed');
  },
);

scenario(
  ['RT-4.3-1406'],
  'an Approver who requested a revision of a plan can approve its next version',
  async ({ deliver, onEnd }) => {
    const { fixture, provider, approver, make, think, approve } = await stage({ deliver, onEnd });
    const id = await make('Guests');
    const first = await think(id, thought(check('No address', 'select id from guests where email is null')));
    await provider.script(thought(check('Empty address', `select id from guests where email = ''`)));
    const request = `${path}/plans/${first.planId}/request-revision`;
    expect((await approver.post(request, { feedback: 'Only empty ones.' })).status).toBe(202);
    const next = await until('the next version', async () => {
      const { body } = await fixture.root.get(`${path}/${id}/plans?status=Pending`);
      return body.items.find((plan: { id: number }) => plan.id !== first.planId);
    });
    expect(next).toMatchObject({ version: 2, parentPlanId: first.planId });
    expect((await approver.get(`${path}/plans/${next.id}`)).body.canDecide).toBe(true);
    expect((await approve(next.id)).body).toMatchObject({ status: 'Applied', decidedByUserName: 'approver' });
  },
);

scenario(
  ['RT-4.3-1435'],
  'the owner of an AI actor with only the required members is notified of failures',
  async ({ deliver, onEnd }) => {
    const { owner, make, think } = await stage({ deliver, onEnd });
    const id = await make('Guests');
    const notices = async () =>
      (await owner.client.get('/svc/api/notices?pageSize=200')).body.items.filter(
        ({ subjectId }: { subjectId: number }) => subjectId === id,
      );
    for (const _ of [1, 2]) expect((await think(id, 'no value', 'no value')).state).toBe('Failed');
    expect(await notices()).toEqual([]);
    expect((await think(id, 'no value', 'no value')).state).toBe('Failed');
    expect(await notices()).toMatchObject([{ kind: 'ActorFailed', text: expect.stringContaining('Guests') }]);
  },
);

import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { expect } from 'vitest';
import { action, aiActorsPath, check, stage, thought } from '../support/ai-actor-stage.ts';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-2-13', 'RT-4.3-52', 'RT-4.3-591', 'RT-4.3-592'],
  'the owner of an AI actor can create, read, change, pause, resume and archive it, and another Editor cannot',
  async ({ deliver, onEnd }) => {
    const { fixture, owner, make } = await stage({ deliver, onEnd });
    const id = await make('Guests');
    const at = `${aiActorsPath}/${id}`;
    expect((await owner.client.get(aiActorsPath)).body.items).toMatchObject([
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
    expect((await owner.client.get(aiActorsPath)).body.items).toEqual([]);
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
    const at = `${aiActorsPath}/${id}/owner`;
    expect((await owner.client.put(at, { userId: heir.userId })).status).toBe(403);
    const userAdmin = await signIn(svc, await addUser(svc, 'keeper', ['UserAdmin']));
    expect((await userAdmin.put(at, { userId: reader.userId })).status).toBe(400);
    expect((await userAdmin.put(at, { userId: 999_999 })).status).toBe(400);
    expect((await userAdmin.put(at, { userId: heir.userId })).status).toBe(204);
    const heirs = await signIn(svc, heir);
    expect((await heirs.get(`${aiActorsPath}/${id}`)).body).toMatchObject({
      ownerUserId: heir.userId,
      canManage: true,
    });
    expect((await owner.client.post(`${aiActorsPath}/${id}/pause`)).status).toBe(403);
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
    const { planHash } = (await owner.client.get(`${aiActorsPath}/plans/${planId}`)).body;
    expect((await owner.client.post(`${aiActorsPath}/plans/${planId}/approve`, { planHash })).body.code).toBe(
      'own-plan',
    );

    await provider.script(
      thought(
        check('No address', `select id from guests where email = ''`),
        check('Twins', `select email from guests group by email having count(*) > 1`),
      ),
    );
    const refined = await owner.client.post(`${aiActorsPath}/${id}/refine`, {
      feedback: 'Empty ones, and twins.',
    });
    expect(refined.status).toBe(202);
    const next = await until('the next version', async () => {
      const { body } = await root.get(`${aiActorsPath}/${id}/plans?status=Pending`);
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
    expect((await root.get(`${aiActorsPath}/plans/${planId}`)).body).toMatchObject({
      status: 'Expired',
      planHash: null,
    });

    const later = await think(
      id,
      thought(check('Not arrived', `select id from guests where arrived is null`)),
    );
    const { createdTime, expiresAt } = (await root.get(`${aiActorsPath}/plans/${later.planId}`)).body;
    expect(Date.parse(expiresAt) - Date.parse(createdTime)).toBe(14 * 86_400_000);
    await svc.sql(`update svc.ai_plans set expires_at = now() - interval '1 second' where id = $1`, [
      later.planId,
    ]);
    // Sets a new due time: a due time fires once, and the due time of this minute may have fired.
    await svc.sql(
      `update svc_jobs.schedule set next_due_at = date_trunc('milliseconds', now()) where key = 'maintenance:ai-actors'`,
    );
    await until('the end of the plan', async () => {
      const { body } = await root.get(`${aiActorsPath}/plans/${later.planId}`);
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
    expect((await root.get(`${aiActorsPath}/plans/${firstThink.planId}`)).text).toContain('planted-room');
    await provider.script(thought());
    const refined = await owner.client.post(`${aiActorsPath}/${id}/refine`, { feedback: 'Fewer of them.' });
    expect(refined.status).toBe(202);
    await until('the end of the refinement', async () => {
      const { items } = (await root.get(`${aiActorsPath}/${id}/thinks`)).body;
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
    expect((await owner.client.get(`${aiActorsPath}/${id}`)).body.state).toBe('Failed');
    expect((await owner.client.post(`${aiActorsPath}/${id}/think`)).status).toBe(409);
    expect((await owner.client.post(`${aiActorsPath}/${id}/resume`)).body.state).toBe('Active');
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
    const request = `${aiActorsPath}/plans/${first.planId}/request-revision`;
    expect((await approver.post(request, { feedback: 'Only empty ones.' })).status).toBe(202);
    const next = await until('the next version', async () => {
      const { body } = await fixture.root.get(`${aiActorsPath}/${id}/plans?status=Pending`);
      return body.items.find((plan: { id: number }) => plan.id !== first.planId);
    });
    expect(next).toMatchObject({ version: 2, parentPlanId: first.planId });
    expect((await approver.get(`${aiActorsPath}/plans/${next.id}`)).body.canDecide).toBe(true);
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

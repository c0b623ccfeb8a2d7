import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { addRecipient, addSubscription, recipientOf, runNow } from '@svc/testkit/runs/subscribe.ts';
import { addQuery } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const sources = '/svc/api/data-sources';
const queries = '/svc/api/queries';
const subscriptions = '/svc/api/subscriptions';

scenario(
  ['RT-4.3-14', 'RT-4.3-17', 'RT-4.3-18', 'ID-5.7-05'],
  'a DataSourceAdmin can create, test and delete sources; metadata needs Execute; unlinking needs an Admin',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver();
    const keeper = await signIn(svc, await addUser(svc, 'source-keeper', ['DataSourceAdmin']));
    const editor = await signIn(svc, await addUser(svc, 'source-editor', ['Editor']));
    const body = { name: 'Kept', engine: 'PostgreSQL', connection: source.connection };
    expect((await editor.post(sources, body)).status).toBe(403);
    const made = await keeper.post(sources, body);
    expect(made.status, made.text).toBe(201);
    const { id } = made.read<{ id: number }>();
    for (const path of [`${sources}/${id}/test`, `${sources}/test-connection`]) {
      const test = path.endsWith('/test') ? undefined : { engine: body.engine, connection: body.connection };
      expect((await editor.post(path, test)).status).toBe(403);
      expect((await keeper.post(path, test)).body).toMatchObject({ ok: true });
    }
    expect((await editor.delete(`${sources}/${id}`)).status).toBe(403);
    expect((await keeper.delete(`${sources}/${id}`)).status).toBe(204);
    const program = async (scope: string) =>
      svc.client(`Bearer ${(await addKey(editor, { scopes: [scope], projects: [projectId] })).text}`);
    const metadata = `${sources}/${dataSourceId}/metadata`;
    expect((await (await program('Read')).get(metadata)).status).toBe(403);
    expect((await (await program('Execute')).get(metadata)).status).toBe(200);
    const link = `/svc/api/projects/${projectId}/data-sources/${dataSourceId}`;
    expect((await editor.delete(link)).status).toBe(403);
    expect((await keeper.delete(link)).status).toBe(403);
    expect((await root.delete(link)).status).toBe(204);
  },
);

scenario(
  ['RT-4.3-20', 'RT-8-06', 'RT-7-07'],
  'too many sign-ins, setup requests and forced refreshes return 429, with refreshes counted for each source',
  async ({ deliver, start }) => {
    const { svc, root, source, dataSourceId } = await deliver();
    const refresh = (id: number) => root.post(`${sources}/${id}/refresh-metadata`);
    expect((await refresh(dataSourceId)).status).toBe(200);
    expect((await refresh(dataSourceId)).status).toBe(429);
    const other = await root.post(sources, {
      name: 'Other',
      engine: 'PostgreSQL',
      connection: source.connection,
    });
    expect((await refresh(other.read<{ id: number }>().id)).status).toBe(200);
    const repeat = async (client: typeof root, path: string, body: unknown) => {
      let status = 0;
      for (let attempt = 0; attempt < 30 && status !== 429; attempt++)
        status = (await client.post(path, body)).status;
      return status;
    };
    const login = { username: 'nobody', password: 'x', rememberMe: false };
    expect(await repeat(svc.client(), '/svc/api/auth/login', login)).toBe(429);
    const setup = { setupToken: 'x', userName: 'abc', password: 'x', confirmPassword: 'x' };
    expect(await repeat((await start()).client(), '/svc/api/setup/superadmin', setup)).toBe(429);
  },
);

scenario(
  ['RT-4.3-25', 'RT-4.3-26', 'ID-5.6-41'],
  'saved SQL can be previewed with Execute or by a Viewer, and no route deletes a query',
  async ({ deliver }) => {
    const { svc, root, projectId, dataSourceId, addQuery } = await deliver();
    const query = await addQuery('select 7 as seven');
    const viewer = await signIn(svc, await addUser(svc, 'preview-viewer', ['Viewer']));
    const program = async (scope: string) =>
      svc.client(`Bearer ${(await addKey(root, { scopes: [scope], projects: [projectId] })).text}`);
    const preview = `${queries}/${query}/preview`;
    const draft = { projectId, steps: [{ dataSourceId, sql: 'select 8 as eight' }] };
    for (const client of [viewer, await program('Execute'), root])
      expect((await client.post(preview, {})).body).toMatchObject({ rows: [[7]] });
    const reader = await program('Read');
    const runs: readonly (readonly [string, object])[] = [
      [preview, {}],
      [`${queries}/${query}/steps/1/preview`, {}],
      [`${queries}/${query}/export`, { format: 'Csv' }],
      [`${queries}/preview`, draft],
      [`${queries}/explain`, draft],
      [`${queries}/preflight`, draft],
    ];
    for (const [path, body] of runs) {
      expect([path, (await reader.post(path, body)).status]).toEqual([path, 403]);
      expect([path, (await root.post(path, body)).status]).toEqual([path, 200]);
    }
    expect((await reader.get(`${queries}/${query}`)).status).toBe(200);
    expect([404, 405]).toContain((await root.delete(`${queries}/${query}`)).status);
    expect((await root.get(`${queries}/${query}`)).status).toBe(200);
  },
);

scenario(
  ['RT-4.3-32', 'RT-4.3-33', 'RT-4.3-34', 'DL-4-07', 'DL-4-10', 'DL-4-11'],
  'subscriptions can be changed with write access and Execute, their owner by a UserAdmin, and their schedule never',
  async ({ deliver }) => {
    const { svc, root, projectId, addQuery, sink } = await deliver();
    const editorPerson = await addUser(svc, 'sub-editor', ['Editor']);
    const editor = await signIn(svc, editorPerson);
    const viewer = await signIn(svc, await addUser(svc, 'sub-viewer', ['Viewer']));
    const userAdmin = await signIn(svc, await addUser(svc, 'sub-user-admin', ['UserAdmin']));
    const program = async (scope: string) =>
      svc.client(`Bearer ${(await addKey(editor, { scopes: [scope], projects: [projectId] })).text}`);
    const reader = await program('Read');
    const doer = await program('Execute');
    const destination = `${sink.url}/first`;
    const recipientId = await addRecipient(root, { notificationType: 'Webhook', destination });
    const second = await addRecipient(root, { ...recipientOf.Webhook });
    const queryId = await addQuery('select 1 as one');
    const body = { queryId, cronExpression: '0 0 1 1 *', recipientIds: [recipientId] };
    for (const refused of [reader, viewer])
      expect((await refused.post(subscriptions, body)).status).toBe(403);
    expect((await doer.post(subscriptions, body)).status).toBe(201);
    const id = await addSubscription(editor, body);
    const path = `${subscriptions}/${id}`;
    for (const refused of [reader, viewer]) {
      expect((await refused.patch(path, { showQuery: true })).status).toBe(403);
      expect((await refused.post(`${path}/recipients`, { recipientIds: [second] })).status).toBe(403);
      expect((await refused.post(`${path}/test-run`)).status).toBe(403);
      expect((await refused.delete(path)).status).toBe(403);
    }
    expect((await doer.patch(path, { showQuery: true })).body).toMatchObject({ showQuery: true });
    expect((await doer.post(`${path}/test-run`)).status).toBe(202);
    expect((await doer.post(`${path}/recipients`, { recipientIds: [second] })).status).toBe(200);
    expect((await editor.delete(`${path}/recipients/${second}`)).status).toBe(204);
    const [user] = await svc.sql<{ id: number }>('select id from svc.users where user_name = $1', [
      editorPerson.userName,
    ]);
    expect((await editor.put(`${path}/owner`, { userId: user?.id })).status).toBe(403);
    expect((await userAdmin.put(`${path}/owner`, { userId: user?.id })).status).toBe(204);
    const change = { ...body, cronExpression: '* * * * *' };
    for (const [method, where] of [
      ['PUT', path],
      ['POST', path],
      ...['PUT', 'PATCH', 'POST'].map((each) => [each, `${path}/schedule`] as const),
    ] as const)
      expect([404, 405]).toContain((await root.send(method, where, change)).status);
    // A change of a subscription accepts neither a schedule nor a query.
    for (const [member, value] of Object.entries({ ...change, timeZone: 'Europe/Zagreb' }))
      expect(await root.patch(path, { showQuery: false, [member]: value })).toMatchObject({
        status: 400,
        body: { errors: [{ path: `/${member}` }] },
      });
    expect((await root.get(path)).body).toMatchObject({ showQuery: true, queryId });
    expect((await root.get(path)).body).toMatchObject({ schedule: { cronExpression: '0 0 1 1 *' } });
  },
);

scenario(
  ['DL-4-03', 'DL-7-08', 'DL-2.1-22'],
  'a user who cannot read every subscription of a recipient can rename it, but not redirect it',
  async ({ deliver }) => {
    const { svc, root, projectId, dataSourceId, sink } = await deliver();
    const keeper = await signIn(svc, await addUser(svc, 'blind-keeper', ['SecurityAdmin', 'Viewer']));
    const recipientId = await addRecipient(root, { ...recipientOf.Webhook, name: 'Used' });
    const open = await addProject(root, 'Read by everybody');
    expect((await root.post(`/svc/api/projects/${open}/data-sources`, { dataSourceId })).status).toBe(201);
    for (const project of [projectId, open]) {
      const queryId = await addQuery(root, project, dataSourceId, 'select 1 as one');
      await addSubscription(root, { queryId, recipientIds: [recipientId] });
    }
    await root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });
    const path = `/svc/api/recipients/${recipientId}`;
    const { destination } = (await keeper.get(path)).read<{ destination: string }>();
    const same = { notificationType: 'Webhook', name: 'Renamed', destination };
    expect((await keeper.put(path, same)).status).toBe(200);
    const turned = { ...same, destination: 'https://evil.example.com/in' };
    expect((await keeper.put(path, turned)).status).toBe(403);
    expect((await keeper.put(path, { ...same, customHeaders: { Authorization: 'x' } })).status).toBe(403);
    expect(
      (await keeper.put(path, { ...same, notificationType: 'ChatBlocks', destination: `${sink.url}/x` }))
        .status,
    ).toBe(403);
    expect((await root.put(path, turned)).status).toBe(200);
    expect((await keeper.get('/svc/api/recipients')).body).toMatchObject({ totalCount: 1 });
    await root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Open' });
    expect((await keeper.put(path, { ...turned, ...recipientOf.Webhook })).status).toBe(200);
  },
);

scenario(
  ['DL-2.1-18', 'DL-2.1-19', 'DL-2.1-21'],
  'a recipient from before encryption still delivers, unless encrypted secrets are required',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:Jobs:Workers': 0 });
    const destination = `${fixture.sink.url}/old`;
    const recipientId = await addRecipient(fixture.root, { notificationType: 'Webhook', destination });
    await fixture.svc.sql('update svc.recipients set destination_sealed = $2 where id = $1', [
      recipientId,
      destination,
    ]);
    const queryId = await fixture.addQuery('select 1 as one');
    const id = await addSubscription(fixture.root, { queryId, recipientIds: [recipientId] });
    const lenient = await fixture.svc.replica({ 'Svc:Jobs:Workers': 2 });
    expect((await runNow(fixture.root, id)).status).toBe('Sent');
    await lenient.close();
    await fixture.svc.replica({ 'Svc:Jobs:Workers': 2, 'Svc:Notifications:RequireEncryptedSecrets': true });
    expect((await runNow(fixture.root, id)).status).toBe('Failed');
    expect(fixture.sink.received).toHaveLength(1);
    expect((await fixture.root.post(`/svc/api/recipients/${recipientId}/test`)).status).toBe(404);
  },
);

scenario(
  ['RT-4.3-31'],
  'a subscription can be listed, created, read, run, given recipients and an owner, archived and reactivated',
  async ({ deliver }) => {
    const { svc, root, projectId, dataSourceId } = await deliver();
    const queryId = await addQuery(root, projectId, dataSourceId, 'select 1 as one where false');
    const first = await addRecipient(root, recipientOf.Webhook);
    const second = await addRecipient(root, recipientOf.Webhook);
    const id = await addSubscription(root, { queryId, recipientIds: [first] });
    const path = `${subscriptions}/${id}`;
    const listed = async () =>
      (await root.get(`${subscriptions}?queryId=${queryId}`)).body.items.map(
        (item: { id: number }) => item.id,
      );
    const recipientIds = async () =>
      (await root.get(path)).body.recipients.map((recipient: { id: number }) => recipient.id);
    expect(await listed()).toEqual([id]);
    expect((await root.post(`${path}/recipients`, { recipientIds: [second] })).status).toBe(200);
    expect(await recipientIds()).toEqual([first, second]);
    expect((await root.delete(`${path}/recipients/${first}`)).status).toBe(204);
    expect(await recipientIds()).toEqual([second]);
    expect(await runNow(root, id)).toMatchObject({ status: 'NoResults' });
    const { userId } = await addUser(svc, 'next-owner', ['Editor']);
    expect((await root.put(`${path}/owner`, { userId })).status).toBe(204);
    expect((await root.get(path)).body).toMatchObject({ ownerName: 'next-owner' });
    expect((await root.delete(path)).status).toBe(204);
    expect(await listed()).toEqual([]);
    expect((await root.get(path)).body).toMatchObject({ state: 'Archived' });
    expect((await root.post(`${path}/reactivate`)).status).toBe(200);
    expect(await listed()).toEqual([id]);
  },
);

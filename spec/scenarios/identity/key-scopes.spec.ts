import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey, addUser, setUp, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { setRoles } from '@svc/testkit/people/users.ts';
import { addRecipient, addSubscription } from '@svc/testkit/runs/subscribe.ts';
import { logLevel } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const projects = '/svc/api/projects';

scenario(
  ['ID-5.7-01', 'ID-5.7-04', 'ID-7-03', 'RT-4.3-02', 'RT-9-03', 'RT-9-04', 'ID-5.7-16'],
  'a Read key can read but not change data; an Execute key can change data without an antiforgery token',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Scopes');
    const reader = svc.client(
      `Bearer ${(await addKey(root, { scopes: ['Read'], projects: [project] })).text}`,
    );
    const doer = svc.client(
      `Bearer ${(await addKey(root, { scopes: ['Execute'], projects: [project] })).text}`,
    );
    for (const path of [projects, `${projects}/${project}`, `${projects}/${project}/data-sources`])
      expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
    const refused = await reader.post(projects, { name: 'By a Read key' });
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('This operation requires the Execute scope'),
    ]);
    const { body: document } = await root.get('/openapi/v1.json');
    const changes = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter(
          (method) => ['post', 'put', 'patch', 'delete'].includes(method) && path.startsWith('/svc/api/'),
        )
        .map((method) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, String(project))] as const),
    );
    expect(changes.length).toBeGreaterThan(80);
    const others: string[] = [];
    for (const [method, path] of changes) {
      const { status } = await reader.send(method, path);
      if (status !== 403) others.push(`${method} ${path}`);
    }
    // Anonymous routes need no scope, because they read no credential.
    expect(others.toSorted()).toEqual([
      'POST /svc/api/auth/login',
      'POST /svc/api/auth/logout',
      'POST /svc/api/setup/superadmin',
    ]);
    const made = await doer.patch(`${projects}/${project}`, { description: 'By a key' });
    expect(made.status, made.text).toBeLessThan(300);
  },
);

scenario(
  ['ID-3.2-16', 'ID-3.2-17', 'ID-3.2-18', 'ID-5.7-08', 'ID-5.7-09', 'ID-5.6-40', 'ID-5.7-07', 'RT-9-06'],
  'an Execute key acts as Read while its owner cannot write, logs one warning, and recovers with the owner',
  async ({ svc }) => {
    const person = await addUser(svc, 'demoted', ['Editor']);
    const owner = await signIn(svc, person);
    const project = await addProject(owner, 'Demoted');
    const key = await addKey(owner, { scopes: ['Execute'], projects: [project] });
    const program = svc.client(`Bearer ${key.text}`);
    const reading = await addKey(owner, { scopes: ['Read'], projects: [project] });
    const reader = svc.client(`Bearer ${reading.text}`);
    const change = (client = program) => client.patch(`${projects}/${project}`, { description: 'x' });
    expect((await change()).status).toBeLessThan(300);
    expect((await change(reader)).status).toBe(403);
    await setRoles(svc.database, person.userId, ['Viewer']);
    for (let attempt = 0; attempt < 3; attempt++) {
      const refused = await change();
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining('requires the Execute scope'),
      ]);
    }
    expect((await program.get(`${projects}/${project}`)).status).toBe(200);
    const warnings = svc.log.filter(({ level, apiKeyId }) => level === logLevel.warn && apiKeyId === key.id);
    expect(warnings).toHaveLength(1);
    await setRoles(svc.database, person.userId, ['Editor']);
    expect((await change()).status).toBeLessThan(300);
    await setRoles(svc.database, person.userId, ['Admin']);
    expect((await change()).status).toBeLessThan(300);
    expect((await program.get('/svc/api/api-keys/admin')).status).toBe(403);
    expect((await change(reader)).status).toBe(403);
    expect((await reader.get(`${projects}/${project}`)).status).toBe(200);
    await setRoles(svc.database, person.userId, []);
    for (const client of [program, reader])
      expect((await client.get(`${projects}/${project}`)).status).toBe(403);
  },
);

scenario(
  ['ID-5.7-02', 'ID-5.7-18', 'ID-5.7-19', 'ID-5.7-20'],
  'an Execute key can change state, run SQL, connect to sources and send messages; a Read key cannot',
  async ({ deliver }) => {
    const { svc, root, projectId, dataSourceId, addQuery, sink } = await deliver();
    const queryId = await addQuery('select 7 as seven');
    const destination = `${sink.url}/by-a-key`;
    const recipientId = await addRecipient(root, { notificationType: 'Webhook', destination });
    const subscription = await addSubscription(root, { queryId, recipientIds: [recipientId] });
    const program = async (scope: string) =>
      svc.client(`Bearer ${(await addKey(root, { scopes: [scope], projects: [projectId] })).text}`);
    const [reader, doer] = [await program('Read'), await program('Execute')];
    const draft = { projectId, steps: [{ dataSourceId, sql: 'select 8 as eight' }] };
    const acts: readonly (readonly [string, string, unknown])[] = [
      ['PATCH', `${projects}/${projectId}`, { description: 'By a key' }],
      ['POST', `/svc/api/queries/${queryId}/preview`, {}],
      ['POST', `/svc/api/queries/${queryId}/steps/1/preview`, {}],
      ['POST', '/svc/api/queries/preview', draft],
      ['GET', `/svc/api/data-sources/${dataSourceId}/metadata`, undefined],
      ['POST', `/svc/api/data-sources/${dataSourceId}/refresh-metadata`, undefined],
      ['POST', `/svc/api/subscriptions/${subscription}/test-run`, undefined],
    ];
    for (const [method, path, body] of acts)
      expect([path, (await reader.send(method, path, body)).status]).toEqual([path, 403]);
    expect(sink.received).toEqual([]);
    for (const [method, path, body] of acts) {
      const { status, text } = await doer.send(method, path, body);
      expect([path, status < 300, text]).toEqual([path, true, text]);
    }
    await expect.poll(() => sink.received.length, { timeout: 30_000 }).toBe(1);
  },
);

scenario(
  ['ID-5.7-23'],
  'an Execute key acts as Read while the host application withholds its consent',
  async ({ start }) => {
    const refusal = 'Your account is suspended.';
    let consents = true;
    const svc = await start({}, { mayKeyExecute: () => consents || { refusal } });
    const root = await setUp(svc);
    const project = await addProject(root, 'Consented');
    const program = async () =>
      svc.client(`Bearer ${(await addKey(root, { scopes: ['Execute'], projects: [project] })).text}`);
    const change = async (client: HttpClient) =>
      client.patch(`${projects}/${project}`, { description: 'By a key' });
    expect((await change(await program())).status).toBe(200);
    consents = false;
    const doer = await program();
    const refused = await change(doer);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(refusal)]);
    expect((await doer.get(`${projects}/${project}`)).status).toBe(200);
    consents = true;
    expect((await change(await program())).status).toBe(200);
  },
);

scenario(
  ['ID-5.6-17', 'RT-9-05'],
  'a stored key with the retired Admin scope acts as Execute',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Retired');
    const key = await addKey(root, { scopes: ['Read'], projects: [project] });
    await svc.sql("update svc.api_keys set scopes = '{Admin,Other}' where id = $1", [key.id]);
    const program = svc.client(`Bearer ${key.text}`);
    expect((await program.patch(`${projects}/${project}`, { description: 'x' })).status).toBeLessThan(300);
    expect((await program.get('/svc/api/api-keys/admin')).status).toBe(403);
    const opening = await program.put(`${projects}/${project}/access-mode`, { accessMode: 'Open' });
    expect(opening.status).toBe(403);
  },
);

scenario(
  ['ID-4-15', 'ID-7-15', 'RT-4.2-04', 'RT-9-08'],
  'a caller with an Authorization header gets 400 from the antiforgery route',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Header callers');
    const key = await addKey(root, { scopes: ['Execute'], projects: [project] });
    expect((await svc.client(`Bearer ${key.text}`).get('/svc/api/csrf')).status).toBe(400);
    expect((await svc.client().get('/svc/api/csrf')).status).toBe(200);
    const changed = await svc
      .client(`Bearer ${key.text}`)
      .patch(`${projects}/${project}`, { description: 'Without a token' });
    expect(changed.status).toBeLessThan(300);
  },
);

import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { Made } from '@svc/testkit/client/make.ts';
import { createKey } from '@svc/testkit/people/users.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/recipients';
let fixture: RunFixture;
let securityAdmin: HttpClient;
let editor: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture({
    svc: { email: async () => undefined },
    config: { 'Svc:Notifications:AllowedHeaders': ['X-Team'] },
  });
  securityAdmin = await fixture.person('security', 'SecurityAdmin');
  editor = await fixture.person('editor', 'Editor');
});
afterAll(() => fixture.close());

let count = 0;
const hook = (change: Readonly<Record<string, unknown>> = {}) => {
  count += 1;
  return {
    notificationType: 'Webhook',
    name: `Hook ${count}`,
    destination: `${fixture.sink.url}/secret-path-${count}?token=secret-token`,
    ...change,
  };
};
const add = (change: Readonly<Record<string, unknown>> = {}): Promise<Made> =>
  fixture.make(path, hook(change));
const storedOf = async (id: number): Promise<string> =>
  JSON.stringify((await fixture.svc.database.query('select * from svc.recipients where id = $1', [id])).rows);

describe('201', () => {
  test('a SecurityAdmin adds a recipient; its destination and header values are stored encrypted and shown masked', async () => {
    const customHeaders = { Authorization: 'Bearer secret-header', 'X-Team': 'secret-team' };
    const answer = await securityAdmin.post(path, hook({ customHeaders, description: 'For the team' }));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${path}/${answer.body.id}`);
    expect(answer.body).toMatchObject({
      notificationType: 'Webhook',
      description: 'For the team',
      state: 'Approved',
      needsDestination: false,
      subscriptionCount: 0,
      version: 1,
    });
    expect(Object.keys(answer.body.customHeaders)).toEqual(['Authorization', 'X-Team']);
    expect(answer.text).not.toContain('secret-');
    expect(await storedOf(answer.body.id)).not.toContain('secret-');
  });

  test.each([
    ['Email', 'team@example.org'],
    ['IssueTracker', '127.0.0.1;KEY;a@example.org;secret-token'],
  ])('a recipient of the type %s accepts its destination', async (notificationType, destination) => {
    const answer = await fixture.root.post(path, hook({ notificationType, destination }));
    expect(answer.status).toBe(201);
    expect(answer.text).not.toContain('secret-token');
  });

  test('the creation is audited with address and trace, and without a secret', async () => {
    const { id } = await add();
    const { rows } = await fixture.svc.database.query(
      "select client_address, trace_id, detail::text from svc.audit_events where event = 'recipients.recipient_created' and subject_id = $1",
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ client_address: expect.any(String), trace_id: expect.any(String) });
    expect(rows[0].detail).not.toContain('secret-');
  });
});

describe('200 and 204', () => {
  test('an Editor lists and reads recipients without destination, headers and template', async () => {
    const { id, name } = await add({ customHeaders: { 'X-Team': 'secret-team' }, bodyTemplate: '{}' });
    const answer = await editor.get(`${path}/${id}`);
    expect(answer).toMatchObject({
      status: 200,
      body: { name, destination: null, customHeaders: null, bodyTemplate: null, needsDestination: false },
    });
    const list = await editor.get(`${path}?search=${encodeURIComponent(name)}`);
    expect(list.body).toMatchObject({ totalCount: 1, items: [{ id, destination: null }] });
    expect((await fixture.root.get(`${path}/${id}`)).body.destination).toContain('127.0.0.1');
  });

  test('saving a masked destination and masked header values retains the stored values', async () => {
    const { id, name } = await add({ customHeaders: { 'X-Team': 'secret-team' } });
    const shown = (await fixture.root.get(`${path}/${id}`)).body;
    const change = {
      notificationType: 'Webhook',
      name: `${name} renamed`,
      destination: shown.destination,
      customHeaders: shown.customHeaders,
    };
    const answer = await fixture.root.put(`${path}/${id}`, change);
    expect(answer).toMatchObject({
      status: 200,
      body: { name: `${name} renamed`, destination: shown.destination, version: 2 },
    });
    const queryId = await fixture.addQuery('select 1 as one');
    const { id: subscriptionId } = await fixture.addSubscription({
      queryId,
      recipientIds: [id],
      notificationTrigger: 'Always',
    });
    expect((await fixture.runNow(subscriptionId)).status).toBe('Sent');
    const arrived = fixture.sink.received.at(-1);
    expect(arrived?.path).toMatch(/^\/secret-path-\d+\?token=secret-token$/);
    expect(arrived?.headers['x-team']).toBe('secret-team');
  });

  test.each([
    ['{}', {}],
    ['null', null],
  ])('customHeaders of %s removes all headers', async (_, customHeaders) => {
    const { id, name } = await add({ customHeaders: { 'X-Team': 'secret-team' } });
    const answer = await fixture.root.put(`${path}/${id}`, {
      notificationType: 'Webhook',
      name,
      customHeaders,
    });
    expect(answer).toMatchObject({ status: 200, body: { customHeaders: {} } });
  });

  test('a recipient with an unreadable destination is marked, and the list still works', async () => {
    const { id } = await add();
    await fixture.svc.database.query(
      "update svc.recipients set destination_sealed = 'v1.nothing' where id = $1",
      [id],
    );
    const broken = (await fixture.root.get(`${path}/${id}`)).body;
    expect((await fixture.root.get(path)).status).toBe(200);
    expect([broken.needsDestination, broken.destination === null]).toContain(true);
  });

  test('an unused recipient is archived, and its name can be used again', async () => {
    const { id, name } = await add();
    expect((await securityAdmin.delete(`${path}/${id}`)).status).toBe(204);
    expect((await fixture.root.get(`${path}/${id}`)).status).toBe(404);
    expect((await fixture.root.post(path, hook({ name }))).status).toBe(201);
  });
});

describe('400', () => {
  test.each([
    ['plain HTTP', { destination: 'http://example.org/hook' }],
    ['a user in the URL', { destination: 'https://user:secret@example.org/hook' }],
    ['a private address', { destination: 'https://10.0.0.1/hook' }],
    ['a metadata service', { destination: 'https://169.254.169.254/latest' }],
    ['no destination', { destination: undefined }],
    [
      'a foreign host for ChatBlocks',
      { notificationType: 'ChatBlocks', destination: 'https://example.org/hook' },
    ],
    [
      'a foreign host for ChatCards',
      { notificationType: 'ChatCards', destination: 'https://example.org/hook' },
    ],
    ['a display name', { notificationType: 'Email', destination: 'Team <team@example.org>' }],
    ['two addresses', { notificationType: 'Email', destination: 'a@example.org, b@example.org' }],
    ['three parts of four', { notificationType: 'IssueTracker', destination: '127.0.0.1;KEY;a@example.org' }],
    ['a header for routing', { customHeaders: { Host: 'example.org' } }],
    ['a header that is not listed', { customHeaders: { 'X-Other': 'x' } }],
    ['a control character', { customHeaders: { 'X-Team': 'a\nb' } }],
    ['a value that is not text', { customHeaders: { 'X-Team': 1 } }],
    ['a value that is too long', { customHeaders: { 'X-Team': 'x'.repeat(4_097) } }],
    [
      'headers of an email',
      { notificationType: 'Email', destination: 'a@example.org', customHeaders: { 'X-Team': 'x' } },
    ],
    ['a blank name', { name: '  ' }],
    ['an unknown type', { notificationType: 'Pigeon' }],
  ])('%s is refused, and the error names the field', async (_, change) => {
    const answer = await fixture.root.post(path, hook(change));
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.[0]?.path).toMatch(/./);
    expect(answer.text).not.toContain('secret');
  });

  test('a stored header value cannot be combined with another host', async () => {
    const { id, name } = await add({ customHeaders: { 'X-Team': 'secret-team' } });
    const { customHeaders } = (await fixture.root.get(`${path}/${id}`)).body;
    const moved = {
      notificationType: 'Webhook',
      name,
      destination: 'https://example.org/hook',
      customHeaders,
    };
    const answer = await fixture.root.put(`${path}/${id}`, moved);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '/customHeaders' }] } });
  });
});

describe('401, 403 and 404', () => {
  test('callers without credentials, users without the permission, and keys can change nothing', async () => {
    const { id, name } = await add();
    const { rows } = await fixture.svc.database.query("select id from svc.users where user_name = 'root'");
    const { authorization } = await createKey(fixture.svc.database, rows[0].id, {
      scopes: ['Execute'],
      projectIds: [fixture.projectId],
    });
    expect((await fixture.svc.client('Bearer nothing').get(path)).status).toBe(401);
    for (const client of [editor, fixture.svc.client(authorization)]) {
      expect((await client.post(path, hook())).status).toBe(403);
      expect((await client.put(`${path}/${id}`, { notificationType: 'Webhook', name })).status).toBe(403);
      expect((await client.delete(`${path}/${id}`)).status).toBe(403);
    }
    expect((await fixture.root.put(`${path}/999999`, hook())).status).toBe(404);
    expect((await fixture.root.delete(`${path}/999999`)).status).toBe(404);
  });

  test('a user who cannot read every subscription of a recipient can rename but not redirect it', async () => {
    const { id, name } = await add();
    const { id: projectId } = await fixture.make('/svc/api/projects', { name: 'Closed' });
    await fixture.root.post(`/svc/api/projects/${projectId}/data-sources`, {
      dataSourceId: fixture.sourceId,
    });
    const queryId = await fixture.addQuery('select 1 as one', { projectId });
    await fixture.addSubscription({ queryId, recipientIds: [id] });
    await fixture.root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });
    const change = { notificationType: 'Webhook', name: `${name} renamed` };
    expect((await securityAdmin.put(`${path}/${id}`, change)).status).toBe(200);
    const redirect = { ...change, destination: `${fixture.sink.url}/elsewhere` };
    expect((await securityAdmin.put(`${path}/${id}`, redirect)).status).toBe(403);
    expect((await fixture.root.put(`${path}/${id}`, redirect)).status).toBe(200);
  });
});

describe('409 and 412', () => {
  test('a name is already taken if only its case differs', async () => {
    const { name } = await add();
    const { id } = await add();
    expect((await fixture.root.post(path, hook({ name: name.toUpperCase() }))).status).toBe(409);
    const answer = await fixture.root.put(`${path}/${id}`, { notificationType: 'Webhook', name });
    expect(answer).toMatchObject({ status: 409, body: { code: 'name-taken', errors: [{ path: '/name' }] } });
  });

  test('a recipient that a subscription uses cannot be archived', async () => {
    const { id } = await add();
    await fixture.addSubscription({ queryId: await fixture.addQuery('select 1 as one'), recipientIds: [id] });
    expect(await fixture.root.delete(`${path}/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'recipient-in-use' },
    });
  });

  test('a save of an outdated version is refused', async () => {
    const { id, name } = await add();
    const tag = (await fixture.root.get(`${path}/${id}`)).headers.get('etag') ?? '';
    const save = () =>
      fixture.root.put(
        `${path}/${id}`,
        { notificationType: 'Webhook', name },
        { headers: { 'if-match': tag } },
      );
    expect((await save()).status).toBe(200);
    expect((await save()).status).toBe(412);
  });
});

import { addUser, setUp, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { addRecipient, addSubscription, recipientOf } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const route = '/svc/api/recipients';
const secretUrl = 'https://hooks.example.com/services/T0/B1/topsecretpath?token=topsecretquery';

scenario(
  [
    'DL-2.1-01',
    'DL-2.1-02',
    'DL-2.1-03',
    'DL-2.1-04',
    'DL-2.1-05',
    'DL-2.1-06',
    'DL-1-02',
    'DL-4-01',
    'RT-4.3-35',
    'RT-4.3-36',
  ],
  'a recipient has a type, a name, a destination, and optionally a description, headers and a template',
  async ({ svc, root }) => {
    const body = {
      notificationType: 'Webhook',
      name: 'All fields',
      destination: 'https://hooks.example.com/in',
      description: 'Where it all ends',
      customHeaders: { Authorization: 'Bearer abc' },
      bodyTemplate: '{"rows": {{TotalRecords}}}',
    };
    const made = await root.post(route, body);
    expect(made.status, made.text).toBe(201);
    const { destination: _destination, customHeaders: _headers, ...shown } = body;
    expect(made.body).toMatchObject(shown);
    const { id } = made.read<{ id: number }>();
    expect((await root.get(`${route}?search=all%20fields`)).body).toMatchObject({
      totalCount: 1,
      items: [{ id, name: 'All fields', notificationType: 'Webhook' }],
    });
    const securityAdmin = await signIn(svc, await addUser(svc, 'keeper', ['SecurityAdmin']));
    expect((await securityAdmin.post(route, { ...body, name: 'By SecurityAdmin' })).status).toBe(201);
    const editor = await signIn(svc, await addUser(svc, 'no-keeper', ['Editor']));
    expect((await editor.post(route, { ...body, name: 'By Editor' })).status).toBe(403);
    for (const missing of ['notificationType', 'name', 'destination'])
      expect([missing, (await root.post(route, { ...body, [missing]: undefined })).status]).toEqual([
        missing,
        400,
      ]);
    const unknownType = await root.post(route, { ...body, notificationType: 'Pigeon', name: 'Unknown type' });
    expect(unknownType.status).toBe(400);
    const headersOnEmail = {
      ...recipientOf.Email,
      customHeaders: { Authorization: 'x' },
      name: 'Mail with headers',
    };
    expect((await root.post(route, headersOnEmail)).status).toBe(400);
  },
);

scenario(
  ['DL-2.1-07', 'DL-5.4-12', 'DL-7-03'],
  'an email destination is an address without a display name',
  async ({ root }) => {
    await addRecipient(root, { notificationType: 'Email', name: 'Bare', destination: 'anna@example.org' });
    for (const destination of [
      'Anna <anna@example.org>',
      '"Anna" anna@example.org',
      'anna',
      'a@b@c',
      'anna@example.org, b@example.org',
      'anna@example.org\r\nBcc: b@example.org',
    ]) {
      const answer = await root.post(route, {
        notificationType: 'Email',
        name: `x ${destination}`,
        destination,
      });
      expect([destination, answer.status]).toEqual([destination, 400]);
      expect(answer.text).toMatch(/address/i);
    }
  },
);

scenario(
  ['DL-2.1-16', 'DL-2.3-06'],
  'destinations and header values are encrypted in the database',
  async ({ svc, root }) => {
    const id = await addRecipient(root, {
      notificationType: 'Webhook',
      name: 'Encrypted',
      destination: secretUrl,
      customHeaders: { 'X-Api-Key': 'topsecretheader' },
    });
    const [row] = await svc.sql('select r::text as stored from svc.recipients r where id = $1', [id]);
    expect(String(row?.['stored'])).toContain('Encrypted');
    expect(String(row?.['stored'])).not.toMatch(/topsecret/);
    expect(JSON.stringify(svc.log)).not.toMatch(/topsecret/);
  },
);

scenario(
  ['DL-2.1-17', 'DL-4-12', 'DL-4-13'],
  'destinations are masked for administrators and hidden from all other users',
  async ({ svc, root }) => {
    const id = await addRecipient(root, {
      notificationType: 'Webhook',
      name: 'Masked',
      destination: secretUrl,
      customHeaders: { Authorization: 'topsecretheader' },
    });
    const securityAdmin = await signIn(svc, await addUser(svc, 'mask-keeper', ['SecurityAdmin']));
    const editor = await signIn(svc, await addUser(svc, 'mask-editor', ['Editor']));
    for (const path of [`${route}/${id}`, `${route}?pageSize=200`]) {
      for (const keeper of [root, securityAdmin]) {
        const { text } = await keeper.get(path);
        expect(text).not.toMatch(/topsecret/);
        expect(text).toContain('Authorization');
        expect(text).toMatch(/\*\*\*/);
      }
      const hidden = await editor.get(path);
      expect(hidden.status).toBe(200);
      expect(hidden.text).not.toMatch(/topsecret|hooks|Authorization/);
    }
    expect((await editor.get(`${route}/${id}`)).body).toMatchObject({ destination: null });
    const renamed = await root.put(`${route}/${id}`, {
      ...(await root.get(`${route}/${id}`)).read<object>(),
    });
    expect(renamed.text).not.toMatch(/topsecret/);
  },
);

scenario(
  ['DL-2.3-01', 'DL-2.3-02', 'DL-8-04'],
  'a recipient has at most 20 custom headers, each a string of at most 4,096 characters without control characters',
  async ({ start }) => {
    const names = Array.from({ length: 21 }, (_, index) => `X-Custom-${index}`);
    const svc = await start({ 'Svc:Notifications:AllowedHeaders': names });
    const root = await setUp(svc);
    let count = 0;
    const save = async (customHeaders: unknown) =>
      (await root.post(route, { ...recipientOf.Webhook, name: `Headers ${count++}`, customHeaders })).status;
    const some = (length: number) => Object.fromEntries(names.slice(0, length).map((name) => [name, 'v']));
    expect(await save(some(20))).toBe(201);
    expect(await save(some(21))).toBe(400);
    expect(await save({ Authorization: 'x'.repeat(4_096) })).toBe(201);
    expect(await save({ Authorization: 'x'.repeat(4_097) })).toBe(400);
    for (const value of ['a\nb', 'a\rb', 'a\u0000b', 'a\u007fb', 1, null, ['x'], {}])
      expect([value, await save({ Authorization: value })]).toEqual([value, 400]);
  },
);

scenario(
  ['DL-2.3-03', 'DL-2.3-04', 'DL-2.3-05', 'DL-7-04'],
  'only allowed header names are accepted, and headers that control the connection never are',
  async ({ start }) => {
    const never = [
      'Host',
      'Content-Type',
      'Cookie',
      'X-Forwarded-For',
      'Metadata-Flavor',
      'Content-Length',
      'Connection',
      'Transfer-Encoding',
      'X-aws-ec2-metadata-token',
      'Metadata',
      'Proxy-Authorization',
      'Forwarded',
    ]; // prettier-ignore
    const svc = await start({ 'Svc:Notifications:AllowedHeaders': ['X-Mine'] });
    const root = await setUp(svc);
    let count = 0;
    const save = (name: string) =>
      root.post(route, { ...recipientOf.Webhook, name: `Named ${count++}`, customHeaders: { [name]: 'v' } });
    for (const name of [
      'Authorization',
      'Api-Key',
      'X-Api-Key',
      'Ocp-Apim-Subscription-Key',
      'x-api-key',
      'X-Mine',
    ])
      expect([name, (await save(name)).status]).toEqual([name, 201]);
    for (const name of [...never, 'X-Other', 'Bad Name', '']) {
      const answer = await save(name);
      expect([name, answer.status]).toEqual([name, 400]);
    }
    expect((await save('X-Other')).text).toContain('X-Other');
    const forced = start({ 'Svc:Notifications:AllowedHeaders': ['Host', 'Cookie'] }).then(async (other) => {
      const otherRoot = await setUp(other);
      const body = { ...recipientOf.Webhook, name: 'Forced', customHeaders: { Host: 'v' } };
      return (await otherRoot.post(route, body)).status;
    });
    // The service may refuse the setting at the start, or refuse the header in a recipient.
    expect(await forced.catch(() => 400)).toBe(400);
  },
);

scenario(
  ['DL-4-02', 'DL-4-04', 'DL-4-05'],
  'a SecurityAdmin can rename and delete recipients',
  async ({ svc, root }) => {
    const keeper = await signIn(svc, await addUser(svc, 'renamer', ['SecurityAdmin']));
    const editor = await signIn(svc, await addUser(svc, 'rename-editor', ['Editor']));
    const id = await addRecipient(root, { ...recipientOf.Webhook, name: 'Before' });
    const shown = (await keeper.get(`${route}/${id}`)).read<{ destination: string }>();
    const change = { notificationType: 'Webhook', name: 'After', destination: shown.destination };
    expect((await editor.put(`${route}/${id}`, change)).status).toBe(403);
    expect((await editor.delete(`${route}/${id}`)).status).toBe(403);
    for (const role of ['Viewer', 'Auditor', 'UserAdmin', 'Approver', 'DataSourceAdmin'] as const) {
      const other = await signIn(svc, await addUser(svc, `rename-${role.toLowerCase()}`, [role]));
      const statuses = [await other.put(`${route}/${id}`, change), await other.delete(`${route}/${id}`)];
      expect([role, ...statuses.map(({ status }) => status)]).toEqual([role, 403, 403]);
    }
    expect((await keeper.put(`${route}/${id}`, change)).status).toBeLessThan(300);
    expect((await keeper.get(`${route}/${id}`)).body).toMatchObject({
      name: 'After',
      destination: shown.destination,
    });
    expect((await keeper.delete(`${route}/${id}`)).status).toBe(204);
    expect((await keeper.get(`${route}/${id}`)).status).toBe(404);
    const admin = await signIn(svc, await addUser(svc, 'rename-admin', ['Admin']));
    const another = `${route}/${await addRecipient(root, { ...recipientOf.Webhook, name: 'Before' })}`;
    expect((await admin.put(another, change)).status).toBe(200);
    expect((await admin.delete(another)).status).toBe(204);
    expect((await admin.get(another)).status).toBe(404);
  },
);

scenario(
  ['DL-5.4-02', 'DL-5.4-03', 'DL-5.4-04', 'DL-7-01', 'DL-7-02', 'DL-2.1-15'],
  'a destination that violates the policy is refused at save with the reason',
  async ({ root }) => {
    const refused: [string, string, RegExp][] = [
      ['Webhook', 'http://hooks.example.com/in', /https/i],
      ['Webhook', 'https://user:pass@hooks.example.com/in', /user name|password|credentials/i],
      ['Webhook', 'https://user@hooks.example.com/in', /user name|password|credentials/i],
      ['Webhook', 'https://:pass@hooks.example.com/in', /user name|password|credentials/i],
      ['ChatBlocks', 'https://user:pass@hooks.slack.com/services/T0/B0/x', /user name/i],
      ['ChatCards', 'https://user:pass@acme.webhook.office.com/webhookb2/x', /user name/i],
      ['IssueTracker', 'https://user:pass@acme.atlassian.net;OPS;anna@example.org;t0ken', /user name/i],
      ['Webhook', 'https://127.0.0.1/in', /address|private|network/i],
      ['Webhook', 'https://10.1.2.3/in', /address|private|network/i],
      ['Webhook', 'https://[::1]/in', /address|private|network/i],
      ['Webhook', 'https://169.254.169.254/latest', /address|private|network|metadata/i],
      ['Webhook', 'https://2130706433/in', /address|private|network/i],
      ['Webhook', 'not a url', /address|URL/i],
      ['ChatBlocks', 'https://hooks.example.com/in', /host/i],
      ['ChatCards', 'https://hooks.example.com/in', /host/i],
    ];
    for (const [index, [notificationType, destination, reason]] of refused.entries()) {
      const answer = await root.post(route, { notificationType, name: `Refused ${index}`, destination });
      expect([destination, answer.status]).toEqual([destination, 400]);
      expect(answer.text).toMatch(reason);
    }
    expect((await root.get(`${route}?search=Refused`)).body).toMatchObject({ totalCount: 0 });
    const kept = { ...recipientOf.Webhook, name: 'Kept within the policy' };
    const id = await addRecipient(root, kept);
    for (const destination of ['http://hooks.example.com/in', 'https://user:pass@hooks.example.com/in'])
      expect((await root.put(`${route}/${id}`, { ...kept, destination })).status).toBe(400);
  },
);

scenario(
  ['DL-5.4-06', 'DL-5.4-07', 'DL-5.4-13', 'DL-5.4-14'],
  'lists of hosts and of disabled types limit the recipients that can be saved',
  async ({ start }) => {
    const svc = await start(
      {
        'Svc:Notifications:AllowedHosts:Webhook': ['only.example.com'],
        'Svc:Notifications:AllowedHosts:Email': ['example.org'],
        'Svc:Notifications:DisabledTypes': ['ChatCards'],
      },
      { email: async () => undefined },
    );
    const root = await setUp(svc);
    const save = async (notificationType: string, destination: string) =>
      (await root.post(route, { notificationType, name: `${notificationType} ${destination}`, destination }))
        .status;
    expect(await save('Webhook', 'https://only.example.com/in')).toBe(201);
    expect(await save('Webhook', 'https://hooks.example.com/in')).toBe(400);
    expect(await save('Email', 'anna@example.org')).toBe(201);
    expect(await save('Email', 'anna@example.com')).toBe(400);
    expect(await save('ChatCards', 'https://prod-01.westeurope.logic.azure.com/workflows/x')).toBe(400);
  },
);

scenario(
  ['DL-2.1-20'],
  'a recipient whose destination is encrypted under another key is marked until its destination is entered again',
  async ({ svc, root }) => {
    const id = await addRecipient(root, { ...recipientOf.Webhook, name: 'Other key' });
    const other = await svc.replica({ 'Svc:EncryptionKey': 'another-encryption-key-0123456789-0123456789' });
    const browser = await signIn(other, superAdmin);
    expect((await browser.get(`${route}/${id}`)).body).toMatchObject({ needsDestination: true });
    expect((await browser.get(`${route}?pageSize=200`)).status).toBe(200);
    const change = {
      ...recipientOf.Webhook,
      name: 'Other key',
      destination: 'https://hooks.example.com/again',
    };
    expect((await browser.put(`${route}/${id}`, change)).status).toBeLessThan(300);
    expect((await browser.get(`${route}/${id}`)).body).toMatchObject({ needsDestination: false });
  },
);

scenario(
  ['DL-2.1-1041'],
  'a recipient cannot be deleted while a subscription of an active project uses it, and can after its project is archived',
  async ({ deliver }) => {
    const { root, projectId, addQuery } = await deliver();
    const recipientId = await addRecipient(root, recipientOf.Webhook);
    await addSubscription(root, { queryId: await addQuery('select 1 as one'), recipientIds: [recipientId] });
    const kept = await root.delete(`${route}/${recipientId}`);
    expect([kept.status, kept.body.code]).toEqual([409, 'recipient-in-use']);
    expect((await root.delete(`/svc/api/projects/${projectId}`)).status).toBe(204);
    expect((await root.get(`${route}/${recipientId}/uses`)).body.totalCount).toBe(0);
    expect((await root.delete(`${route}/${recipientId}`)).status).toBe(204);
  },
);

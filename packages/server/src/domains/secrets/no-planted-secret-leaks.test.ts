import { randomBytes } from 'node:crypto';
import { password } from '@svc/testkit/people/users.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { encryptionKey, setupToken } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({
    config: {
      'Svc:Logging:Level': 'debug',
      'Svc:Repositories:TrustedHosts': ['127.0.0.1'],
      'Svc:Notifications:AllowedHosts:ChatBlocks': ['127.0.0.1'],
      'Svc:Notifications:AllowedHosts:ChatCards': ['127.0.0.1'],
      'Svc:Notifications:AllowedHosts:IssueTracker': ['127.0.0.1'],
      'Svc:Notifications:AllowedPrivateNetworks:ChatBlocks': ['127.0.0.0/8'],
      'Svc:Notifications:AllowedPrivateNetworks:ChatCards': ['127.0.0.0/8'],
      'Svc:Notifications:AllowedPrivateNetworks:IssueTracker': ['127.0.0.0/8'],
    },
    svc: { email: async () => undefined },
  });
});
afterAll(() => fixture.close());

/** Returns a unique text. */
const plant = (): string => `planted${randomBytes(9).toString('hex')}`;

/** Saves a record and returns the response. A refusal is a defect of the test. */
async function saved(path: string, body: unknown, method: 'post' | 'put' = 'post') {
  const answer = await fixture.root[method](path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Returns all data that the service's role can read in its database, as text. Bytes also appear in other encodings. */
async function dump(): Promise<string> {
  const { rows: tables } = await fixture.svc.database.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and n.nspname in ('svc', 'svc_jobs')`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await fixture.svc.database.query<{ text: string }>(
      `select t::text as text from ${name} t`,
    );
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

const spellingsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret, 'utf8');
  // The last characters of base64 depend on the following bytes.
  return [secret, bytes.toString('hex'), bytes.toString('base64').slice(0, -3), encodeURIComponent(secret)];
};

test('twenty planted secrets are in no table and in no log line', async () => {
  const secrets: Record<string, string> = {};
  const planted = (name: string): string => {
    secrets[name] = plant();
    return secrets[name];
  };
  const { url } = fixture.sink;
  const recipientIds: number[] = [];
  const recipient = async (input: Readonly<Record<string, unknown>>) => {
    const { id } = await fixture.make('/svc/api/recipients', { name: plant(), ...input });
    recipientIds.push(id);
    return id;
  };
  const hook = await recipient({
    notificationType: 'Webhook',
    destination: `${url}/${planted('path of a webhook')}?token=${planted('query of a webhook')}`,
    customHeaders: {
      Authorization: `Bearer ${planted('authorization')}`,
      'Api-Key': planted('API key header'),
      'X-Api-Key': planted('second key header'),
      'Ocp-Apim-Subscription-Key': planted('subscription key header'),
    },
  });
  await recipient({ notificationType: 'ChatBlocks', destination: `${url}/${planted('block chat')}` });
  await recipient({
    notificationType: 'ChatCards',
    destination: `${url}/workflows/${planted('card chat')}?sig=${planted('card chat signature')}`,
  });
  await recipient({
    notificationType: 'IssueTracker',
    destination: `${url};OPS;robot@example.org;${planted('tracker token')}`,
  });
  // A failing webhook, so that the test covers log lines about failures.
  const failingPath = `/${planted('path of a failing webhook')}`;
  fixture.sink.answers.set(failingPath, 500);
  await recipient({ notificationType: 'Webhook', destination: `${url}${failingPath}` });
  await recipient({
    notificationType: 'Webhook',
    destination: `https://127.0.0.1:59999/${planted('path of a webhook that nobody serves')}`,
  });
  // A changed recipient: its earlier destination must not remain.
  const changed = await recipient({
    notificationType: 'Webhook',
    destination: `${url}/${planted('earlier destination')}`,
  });
  await saved(
    `/svc/api/recipients/${changed}`,
    { notificationType: 'Webhook', name: plant(), destination: `${url}/${planted('later destination')}` },
    'put',
  );
  secrets['signing secret'] = (await saved(`/svc/api/recipients/${hook}/signing-secrets`, undefined)).secret;
  await saved('/svc/api/data-sources', {
    name: plant(),
    engine: 'PostgreSQL',
    connection: {
      host: '127.0.0.1',
      port: 1,
      database: 'none',
      user: 'nobody',
      password: planted('password of a data source'),
      tlsMode: 'Disable',
    },
  });
  const { id: repositoryId } = await fixture.make(`/svc/api/projects/${fixture.projectId}/repositories`, {
    url: 'https://127.0.0.1:59999/shop.git',
  });
  const repository = `/svc/api/projects/repositories/${repositoryId}`;
  await saved(`${repository}/token`, { token: planted('token of a repository') }, 'put');
  await saved(`${repository}/scan`, undefined);
  await until('the end of the scan', async () => {
    const { body } = await fixture.root.get(`/svc/api/projects/${fixture.projectId}/repositories`);
    return body.items[0].scanStatus === 'Failed' || undefined;
  });
  secrets['API key'] = (
    await saved('/svc/api/api-keys', {
      name: plant(),
      scopes: ['Read'],
      allowedProjectIds: [fixture.projectId],
    })
  ).plainTextKey;
  secrets['password of a person'] = password;
  secrets['setup token'] = setupToken;
  secrets['encryption key'] = encryptionKey;
  for (const [name, value] of fixture.root.cookies) secrets[`cookie ${name}`] = value;
  expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(20);

  const { id } = await fixture.addSubscription({
    queryId: await fixture.addQuery('select id, email from orders'),
    recipientIds,
    notificationTrigger: 'Always',
    storeResults: true,
  });
  const run = await fixture.runNow(id);
  expect(run.status).toBe('Failed');
  expect(run.deliveries.filter(({ state }) => state === 'Sent').length).toBeGreaterThanOrEqual(4);
  // The secrets were sent, so the test searches for real values.
  expect(JSON.stringify(fixture.sink.received)).toContain(secrets['authorization']);

  const places = { database: await dump(), log: JSON.stringify(fixture.svc.log) };
  expect(places.log).toContain('a delivery was not made');
  const leaks = Object.entries(secrets).flatMap(([name, secret]) =>
    Object.entries(places)
      .filter(([, text]) => spellingsOf(secret).some((spelling) => text.includes(spelling)))
      .map(([place]) => `${name} in the ${place}`),
  );
  expect(leaks).toEqual([]);
});

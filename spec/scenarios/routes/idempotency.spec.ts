import { randomUUID } from 'node:crypto';
import type { Answer, HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey, addUser, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { addRecipient, addSubscription } from '@svc/testkit/runs/subscribe.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const projects = '/svc/api/projects';
const description = 'For a scenario.';
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

const make = (client: HttpClient, name: string, key: string): Promise<Answer> =>
  client.post(projects, { name, description }, withKey(key));

const countNamed = async (svc: Pick<RunningService, 'sql'>, name: string): Promise<number> =>
  (await svc.sql('select 1 from svc.projects where name = $1', [name])).length;

const codeOf = ({ status, body, headers }: Answer) => [
  status,
  body.code ?? null,
  headers.get('idempotency-replayed'),
];

scenario(
  ['RT-2-981', 'RT-2-983', 'RT-2-986', 'RT-2-987', 'RT-2-991'],
  'an idempotency key replays the response of its request, and is refused for another request',
  async ({ svc, root }) => {
    const key = randomUUID();
    const first = await make(root, 'Once', key);
    expect(codeOf(first)).toEqual([201, null, null]);
    const again = await make(root, 'Once', key);
    expect(codeOf(again)).toEqual([201, null, 'true']);
    expect(again.text).toBe(first.text);
    for (const name of ['content-type', 'cache-control', 'etag', 'location'])
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    expect(await countNamed(svc, 'Once')).toBe(1);

    expect(codeOf(await make(root, 'Other', key))).toEqual([422, 'idempotency-key-reused', null]);
    const elsewhere = await root.post(`${projects}?x=1`, { name: 'Once', description }, withKey(key));
    expect(codeOf(elsewhere)).toEqual([422, 'idempotency-key-reused', null]);

    const person = await signIn(svc, await addUser(svc, 'same-key', ['Editor']));
    expect(codeOf(await make(person, 'Of another', key))).toEqual([201, null, null]);

    const freed = randomUUID();
    const user = { userName: 'freed', password: superAdmin.password, roles: ['Viewer'] };
    const makeUser = (userName: string) =>
      root.post('/svc/api/users/internal', { ...user, userName }, withKey(freed));
    expect((await makeUser(superAdmin.userName)).status).toBe(409);
    expect(codeOf(await makeUser('freed'))).toEqual([201, null, null]);
    expect(codeOf(await makeUser('freed'))).toEqual([201, null, 'true']);

    for (const bad of ['x'.repeat(256), 'with space', 'ümlaut'])
      expect(codeOf(await make(root, 'Bad', bad))).toEqual([400, 'invalid-idempotency-key', null]);
    expect(await countNamed(svc, 'Bad')).toBe(0);
  },
);

scenario(
  ['RT-2-982'],
  'fifty simultaneous equal requests to any process create one record',
  async ({ svc, root }) => {
    const replica = await svc.replica();
    const there = await signIn(replica, 'root');
    const key = randomUUID();
    // Gets cookies and antiforgery tokens before the race.
    for (const client of [root, there]) await make(client, '', randomUUID());
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => make(index % 2 === 0 ? root : there, 'Raced', key)),
    );
    expect(await countNamed(svc, 'Raced')).toBe(1);
    const outcomes = answers.map((answer) => codeOf(answer).join());
    expect(outcomes.filter((one) => one === '201,,')).toHaveLength(1);
    expect(outcomes.filter((one) => !['201,,', '201,,true', '409,request-under-way,'].includes(one))).toEqual(
      [],
    );
    const made = answers.find(({ status }) => status === 201);
    for (const client of [root, there]) {
      const again = await make(client, 'Raced', key);
      expect([...codeOf(again), again.text]).toEqual([201, null, 'true', made?.text]);
    }
  },
);

scenario(
  ['RT-2-984', 'RT-2-985', 'RT-2-988', 'RT-2-989'],
  'an interrupted request is not repeated under its key, and a key is valid for a day',
  async ({ svc, root }) => {
    const key = randomUUID();
    expect((await make(root, 'Cut short', key)).status).toBe(201);
    const stored = JSON.stringify(await svc.sql('select * from svc.idempotent_requests'));
    expect(stored).not.toContain('Cut short');
    expect(stored).not.toContain(key);

    // The state after a process was killed between the record and the response.
    const age = (interval: string) =>
      svc.sql('update svc.idempotent_requests set answer_sealed = null, begun_at = now() - $1::interval', [
        interval,
      ]);
    await age('1 second');
    const soon = await make(root, 'Cut short', key);
    expect(codeOf(soon)).toEqual([409, 'request-under-way', null]);
    expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const interval of ['6 minutes', '23 hours 59 minutes']) {
      await age(interval);
      const later = await make(root, 'Cut short', key);
      expect([interval, ...codeOf(later)]).toEqual([interval, 409, 'request-outcome-unknown', null]);
    }
    expect(await countNamed(svc, 'Cut short')).toBe(1);

    await age('24 hours 1 minute');
    expect(codeOf(await make(root, 'Next day', key))).toEqual([201, null, null]);
    expect(codeOf(await make(root, 'Next day', key))).toEqual([201, null, 'true']);
  },
);

scenario(
  ['RT-2-981', 'RT-2-987'],
  'a test run that is requested twice with one key runs once for each caller',
  async ({ deliver }) => {
    const { svc, root, projectId, sink, addQuery } = await deliver();
    const queryId = await addQuery('select 1 as one');
    const destination = `${sink.url}/hook`;
    const recipientIds = [await addRecipient(root, { notificationType: 'Webhook', destination })];
    const id = await addSubscription(root, { queryId, recipientIds });
    const key = randomUUID();
    const run = (client: HttpClient) =>
      client.post(`/svc/api/subscriptions/${id}/test-run`, undefined, withKey(key));
    const first = await run(root);
    const again = await run(root);
    expect([first.status, again.status, again.text]).toEqual([202, 202, first.text]);
    const program = svc.client(
      `Bearer ${(await addKey(root, { scopes: ['Execute'], projects: [projectId] })).text}`,
    );
    const own = await run(program);
    expect(codeOf(own)).toEqual([202, null, null]);
    expect(codeOf(await run(program))).toEqual([202, null, 'true']);
    expect(await svc.sql('select 1 from svc.runs where subscription_id = $1', [id])).toHaveLength(2);
  },
);

type Described = { readonly operationId: string; readonly parameters?: readonly { readonly name: string }[] };
type OpenApi = { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> };

scenario(
  ['RT-2-990', 'RT-2-992'],
  'an endpoint that returns a secret once ignores idempotency keys, and the OpenAPI document lists where they apply',
  async ({ svc, root }) => {
    const key = randomUUID();
    const projectId = await addProject(root, 'Of a key');
    const keyInput = { name: 'Twice', scopes: ['Read'], allowedProjectIds: [projectId] };
    const [first, second] = [
      await root.post('/svc/api/api-keys', keyInput, withKey(key)),
      await root.post('/svc/api/api-keys', { ...keyInput, name: 'Twice more' }, withKey(key)),
    ];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.plainTextKey).not.toBe(first.body.plainTextKey);
    expect(await svc.sql('select 1 from svc.idempotent_requests where key_hash = sha256($1)', [key])).toEqual(
      [],
    );
    const { paths } = (await root.get('/openapi/v1.json')).read<OpenApi>();
    const taking = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ parameters }) => parameters?.some(({ name }) => name === 'Idempotency-Key'))
      .map(({ operationId }) => operationId);
    expect(taking).toEqual(
      expect.arrayContaining(['createProject', 'createQuery', 'createSubscription', 'testRunSubscription']),
    );
    expect(taking).not.toContain('createApiKey');
    expect(taking).not.toContain('replaceApiKey');
    expect(taking).not.toContain('createSigningSecret');
    expect(taking).not.toContain('createSuperAdmin');
  },
);

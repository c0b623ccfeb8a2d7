import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemCaller } from '../../platform/access/index.ts';
import { createAudit, systemActor } from './service.ts';

const path = '/svc/api/mcp/audit';
const dayMs = 86_400_000;
let svc: RunningService;
let root: HttpClient;
let auditor: HttpClient;
let editorId: number;

beforeAll(async () => {
  svc = await startService();
  root = await setUp(svc);
  await createUser(svc.database, 'auditor', 'Auditor');
  editorId = await createUser(svc.database, 'editor', 'Editor');
  auditor = await signIn(svc, 'auditor');
});
afterAll(() => svc.close());

const audit = createAudit({ now: () => new Date() });
const itemsOf = async (query: string) => (await auditor.get(`${path}?${query}`)).body.items;

describe('status 200', () => {
  test('events are listed newest first, in pages, and filtered by event, event family and project', async () => {
    const { body } = await auditor.get(`${path}?pageSize=2`);
    expect(body.items).toHaveLength(2);
    expect(body.totalCount).toBeGreaterThanOrEqual(3);
    expect(body.items[0].id).toBeGreaterThan(body.items[1].id);
    expect((await itemsOf('event=setup.completed')).map(({ event }: { event: string }) => event)).toEqual([
      'setup.completed',
    ]);
    const families = new Set(
      (await itemsOf('event=auth')).map(({ event }: { event: string }) => event.split('.')[0]),
    );
    expect([...families]).toEqual(['auth']);
    await audit.record(svc.database, {
      event: 'tests.done',
      by: systemActor,
      projectId: 7,
      detail: { a: [1] },
    });
    expect(await itemsOf('projectId=7')).toMatchObject([
      { actorKind: 'system', detail: { a: [1] }, projectId: 7 },
    ]);
  });

  test('an action of the service is attributed to the system and to no user', async () => {
    await audit.record(svc.database, { event: 'tests.by_itself', by: { caller: systemCaller } });
    expect(await itemsOf('event=tests.by_itself&actorKind=system')).toMatchObject([
      { actorKind: 'system', actorUserId: null, actorUserName: null },
    ]);
    expect(await itemsOf('event=tests.by_itself&actorKind=user')).toEqual([]);
  });

  test('reading the audit log is an audit event', async () => {
    await auditor.get(path);
    expect((await itemsOf('event=audit.read'))[0]).toMatchObject({
      actorKind: 'user',
      actorUserName: 'auditor',
    });
  });

  test('an event by a key names the key, its owner and the kind of actor', async () => {
    const key = await createKey(svc.database, editorId, { scopes: ['Execute'], projectIds: null });
    expect((await createHttpClient(svc.origin, key.authorization).get('/svc/api/users')).status).toBe(403);
    await expect
      .poll(async () => (await itemsOf(`apiKeyId=${key.id}`))[0])
      .toMatchObject({
        event: 'access.denied',
        actorKind: 'api_key',
        actorUserId: editorId,
        detail: { route: '/svc/api/users', code: 'key-administrative', count: 1 },
      });
  });

  test('each of many simultaneous equal denials is counted', async () => {
    const client = await signIn(svc, 'editor');
    await Promise.all(Array.from({ length: 25 }, () => client.get('/svc/api/users/roles')));
    const count = async () =>
      (await itemsOf(`event=access&userId=${editorId}`))
        .filter(({ detail }: { detail: { route: string } }) => detail.route === '/svc/api/users/roles')
        .reduce((sum: number, { detail }: { detail: { count: number } }) => sum + detail.count, 0);
    await expect.poll(count).toBe(25);
  });

  test('an event contains the names of its objects, and is found by part of a name, an address or its detail', async () => {
    const project = (await root.post('/svc/api/projects', { name: 'Harbour watch' })).body;
    const [made] = await itemsOf(`subjectKind=project&subjectId=${project.id}`);
    expect(made).toMatchObject({
      subjectName: 'Harbour watch',
      projectId: project.id,
      projectName: 'Harbour watch',
    });
    const key = await createKey(svc.database, editorId, { scopes: ['Read'], projectIds: null });
    await createHttpClient(svc.origin, key.authorization).get('/svc/api/users');
    await expect.poll(async () => (await itemsOf(`apiKeyId=${key.id}`)).length).toBeGreaterThan(0);
    expect((await itemsOf(`apiKeyId=${key.id}`))[0].apiKeyName).toEqual(expect.any(String));
    await audit.record(svc.database, {
      event: 'tests.found',
      by: { caller: null, clientAddress: '192.0.2.77' },
      subject: { kind: 'user', id: editorId },
      detail: { reason: 'Lighthouse 100%_off' },
    });
    const idsMatching = async (text: string) => {
      const { body } = await auditor.get(`${path}?search=${encodeURIComponent(text)}`);
      return body.items.map(({ id }: { id: number }) => id);
    };
    const [event] = await itemsOf('event=tests.found');
    expect(await idsMatching('hARBOUR w')).toEqual([made.id]);
    expect(await idsMatching('lighthouse 100%_')).toEqual([event.id]);
    expect(await idsMatching('192.0.2.77')).toEqual([event.id]);
    expect(await idsMatching('Tests: found')).toEqual([event.id]);
    expect(await idsMatching('editor')).toContain(event.id);
    expect(await idsMatching('no such thing anywhere')).toEqual([]);
    expect(event.subjectName).toBe('editor');
    const { text } = await auditor.get(`${path}/export?search=Lighthouse`);
    expect(text.trim().split('\r\n')).toHaveLength(2);
    expect((await auditor.get(`${path}?search=${'x'.repeat(201)}`)).status).toBe(400);
  });

  test('control characters in an event cannot forge lines or colours', async () => {
    await audit.record(svc.database, {
      event: 'tests.text',
      by: systemActor,
      detail: { name: 'a\r\nb\u001b[31m' },
    });
    expect((await itemsOf('event=tests.text'))[0].detail.name).toBe('a  b [31m');
  });
});

describe('the audit export', () => {
  const linesOf = async (query: string) => {
    const answer = await auditor.get(`${path}/export?${query}`);
    expect(answer.status).toBe(200);
    return answer.text.replace(/\r\n$/, '').split('\r\n');
  };

  test('is a CSV file with each event of the filter, oldest first, and is recorded as an event', async () => {
    const eventCount = 2_345;
    await svc.database.query(
      `insert into svc.audit_events (event, actor_kind, occurred_at, subject_id)
       select 'many.events', 'system', now() - interval '1 hour' + (n % 7) * interval '1 microsecond', n
         from generate_series(1, $1) n`,
      [eventCount],
    );
    const answer = await auditor.get(`${path}/export?event=many`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    const [heading, ...lines] = await linesOf('event=many');
    expect(heading).toMatch(/^(\uFEFF)?Id,"Time \(UTC\)",Event,/);
    expect(new Set(lines.map((line) => line.split(',')[10])).size).toBe(eventCount);
    expect(lines).toHaveLength(eventCount);
    const microseconds = lines.map((line) => Number(line.split(',')[10]) % 7);
    expect(microseconds).toEqual(microseconds.toSorted());
    expect((await itemsOf('event=audit.exported'))[0]).toMatchObject({
      actorUserName: 'auditor',
      detail: { event: 'many' },
    });
  });

  test('contains no cell that a spreadsheet evaluates as a formula', async () => {
    await createUser(svc.database, "=HYPERLINK('http://x','y')");
    const { rows } = await svc.database.query<{ id: number }>(
      "select id from svc.users where user_name like '=HYPER%'",
    );
    await svc.database.query(
      `insert into svc.audit_events (event, occurred_at, actor_kind, actor_user_id, subject_kind, detail)
       values ('formulas.planted', now() - interval '1 second', 'user', $1, '@SUM(1)', '{"a":"b\\"c"}')`,
      [rows[0]?.id],
    );
    const [, line = ''] = await linesOf('event=formulas');
    expect(line).toContain(`,"'=HYPERLINK('http://x','y')",`);
    expect(line).toContain(",'@SUM(1),");
    expect(line).toMatch(/,"\{""a"":""b\\""c""\}"$/);
  });

  test.each([
    ['actorKind=system', ({ actorKind }: { actorKind: string }) => actorKind === 'system'],
    ['subjectKind=user', ({ subjectKind }: { subjectKind: string }) => subjectKind === 'user'],
  ])('the list can be filtered by %s', async (query, isMeant) => {
    const items = await itemsOf(query);
    expect(items.length).toBeGreaterThan(0);
    expect(items.every(isMeant)).toBe(true);
  });

  test('events of one request are found by its trace id, and events of one object by its id', async () => {
    const traceId = 'ab'.repeat(16);
    const created = await root.post(
      '/svc/api/projects',
      { name: 'Traced', description: '' },
      { headers: { traceparent: `00-${traceId}-${'12'.repeat(8)}-01` } },
    );
    const { projectId } = created.body;
    expect(await itemsOf(`traceId=${traceId}`)).toMatchObject([
      { event: 'projects.project_created', projectId, clientAddress: expect.stringMatching(/^10\./) },
    ]);
    expect(await itemsOf(`subjectKind=project&subjectId=${projectId}`)).toHaveLength(1);
  });

  test('refuses a user without the permission with 403 and invalid filters with 400', async () => {
    const editor = await signIn(svc, 'editor');
    expect((await editor.get(`${path}/export`)).status).toBe(403);
    expect(
      (await auditor.get(`${path}/export?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`)).status,
    ).toBe(400);
    expect((await auditor.get(`${path}?actorKind=nobody`)).status).toBe(400);
  });
});

test('refuses a range that is reversed, too long or not a time with 400', async () => {
  const now = Date.now();
  const at = (days: number) => encodeURIComponent(new Date(now + days * dayMs).toISOString());
  for (const query of [
    `from=${at(0)}&to=${at(-1)}`,
    `from=${at(-94)}&to=${at(0)}`,
    'from=yesterday',
    'to=2026-13-01',
  ])
    expect((await auditor.get(`${path}?${query}`)).status).toBe(400);
  expect((await auditor.get(`${path}?from=${at(-93)}&to=${at(0)}`)).status).toBe(200);
});

test('refuses a user with other roles and permissions with 403', async () => {
  await createUser(svc.database, 'useradmin', ['UserAdmin', 'SecurityAdmin', 'Editor']);
  expect((await (await signIn(svc, 'useradmin')).get(path)).status).toBe(403);
  expect((await root.get(path)).status).toBe(200);
});

describe('events without a transaction', () => {
  const alone = (detail: Record<string, unknown>) =>
    audit.recordAlone(svc.database, { event: 'test.alone', by: { caller: null }, detail });
  const written = async () =>
    (
      await svc.database.query("select detail from svc.audit_events where event = 'test.alone' order by id")
    ).rows.map(({ detail }) => detail.number);

  test('are all written when many are recorded simultaneously, and an event that cannot be written fails alone', async () => {
    const numbers = Array.from({ length: 250 }, (_, number) => number);
    const failed = 77;
    await svc.database.query(
      `alter table svc.audit_events add constraint not_all check (coalesce(detail ->> 'number', '') <> '${failed}')`,
    );
    try {
      const outcomes = await Promise.allSettled(numbers.map((number) => alone({ number })));
      const refused = outcomes.flatMap(({ status }, number) => (status === 'rejected' ? [number] : []));
      expect(refused).toEqual([failed]);
      expect((await written()).toSorted((one, other) => one - other)).toEqual(
        numbers.filter((number) => number !== failed),
      );
    } finally {
      await svc.database.query('alter table svc.audit_events drop constraint not_all');
    }
  });

  test('are stored with a text that is cut within a character', async () => {
    await svc.database.query("delete from svc.audit_events where event = 'test.alone'");
    await alone({ number: 1, sent: '\ud83d', cut: `${'x'.repeat(499)}🙂` });
    expect(await written()).toEqual([1]);
  });
});

import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey, addUser, signIn } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/data-quality/contracts';
let fixture: RunFixture;
let viewer: HttpClient;
let stranger: HttpClient;

beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  await fixture.shop.query(`create table customers (id int primary key, email text, tier int);
    create table invoices (id int primary key, customer_id int, total numeric, note text, issued_on date, paid_at timestamptz)`);
  await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
  viewer = await fixture.person('viewer', 'Viewer');
  stranger = await fixture.person('stranger', 'Editor');
  await fixture.svc.sql(
    `insert into svc.project_members (project_id, user_id, role)
     select $1, id, 'Viewer' from svc.users where user_name = 'viewer'`,
    [fixture.projectId],
  );
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
});
afterAll(() => fixture.close());

const volume = { name: 'Some', type: 'Volume', config: { minRows: 1 } };
const contract = (...rules: object[]) => ({
  projectId: fixture.projectId,
  dataSourceId: fixture.sourceId,
  schemaName: 'public',
  tableName: 'invoices',
  name: 'Invoices',
  rules: rules.length > 0 ? rules : [volume],
});
const make = (body: object = contract()) => fixture.make(path, body);
/** Returns status, code and the path of the first invalid member. */
const refusal = async (answer: ReturnType<HttpClient['post']>) => {
  const { status, body } = await answer;
  return [status, body.code, body.errors?.[0]?.path];
};

describe('status 200', () => {
  test('rules with an id retain it in any order, other rules are removed, and new rules get new ids', async () => {
    const range = { name: 'Total', type: 'Range', columns: ['total'], config: { min: 0 } };
    const nulls = { name: 'Customer', type: 'NullRate', columns: ['customer_id'] };
    const made = await make(contract(volume, range));
    const [first, second] = made['rules'] as { id: number }[];
    const { body } = await fixture.root.put(
      `${path}/${made.id}`,
      contract(nulls, { ...range, id: second?.id }),
    );
    expect(body.rules).toMatchObject([{ name: 'Customer' }, { id: second?.id, name: 'Total' }]);
    expect(body.rules[0].id).not.toBe(first?.id);
    expect((await fixture.root.get(`${path}/${made.id}`)).body).toEqual(body);
  });

  test('a schedule is returned with its time zone and the next five times', async () => {
    const made = await make({ ...contract(), cronExpression: '0 8 * * *', timeZone: 'Europe/Zagreb' });
    expect(made['schedule']).toMatchObject({ cronExpression: '0 8 * * *', timeZone: 'Europe/Zagreb' });
    expect((made['schedule'] as { nextTimes: string[] }).nextTimes).toHaveLength(5);
  });

  test('a new contract without a schedule gets a daily schedule, and null creates no schedule', async () => {
    expect(await make()).toMatchObject({ schedule: { cronExpression: '0 6 * * *', timeZone: 'UTC' } });
    expect(await make({ ...contract(), cronExpression: null })).toMatchObject({ schedule: null });
  });

  test('a change without a schedule and a failure condition leaves both unchanged', async () => {
    const plan = { cronExpression: '5 8 * * *', timeZone: 'Europe/Zagreb' };
    const made = await make({ ...contract(), ...plan, failsOn: 'Score' });
    const one = `${path}/${made.id}`;
    expect((await fixture.root.put(one, contract())).body).toMatchObject({
      schedule: plan,
      failsOn: 'Score',
    });
    const without = { ...contract(), cronExpression: null, failsOn: 'AnyRule' };
    expect((await fixture.root.put(one, without)).body).toMatchObject({ schedule: null, failsOn: 'AnyRule' });
    expect((await fixture.root.put(one, contract())).body).toMatchObject({
      schedule: null,
      failsOn: 'AnyRule',
    });
  });

  test('a snooze is shown until it is ended', async () => {
    const one = `${path}/${(await make()).id}`;
    const until = new Date(Date.now() + 86_400_000).toISOString();
    await fixture.root.post(`${one}/snooze`, { until, reason: 'Being mended' });
    const { body } = await fixture.root.get(one);
    expect(body).toMatchObject({ snoozedUntil: until, snoozeReason: 'Being mended', version: 1 });
    await fixture.root.post(`${one}/snooze`, { until: null });
    expect((await fixture.root.get(one)).body).toMatchObject({ snoozedUntil: null, snoozeReason: null });
  });

  test('a recipient lists the contracts that use it, and cannot be deleted while a contract uses it', async () => {
    const recipientId = await fixture.addRecipient('/used');
    const made = await make({ ...contract(), name: 'Using', recipientIds: [recipientId] });
    const recipient = `/svc/api/recipients/${recipientId}`;
    const { body } = await fixture.root.get(`${recipient}/uses`);
    expect(body.items).toMatchObject([{ subscriptionId: null, contractId: made.id, contractName: 'Using' }]);
    const kept = await fixture.root.delete(recipient);
    expect([kept.status, kept.body.code]).toEqual([409, 'recipient-in-use']);
    expect(kept.body.detail).toContain('Using');
    expect((await stranger.get(`${recipient}/uses`)).body.items).toEqual([]);
    await fixture.root.delete(`${path}/${made.id}`);
    expect((await fixture.root.delete(recipient)).status).toBe(204);
  });
});

describe('status 400', () => {
  const on = (type: string, columns: string[], config: object = {}, more: object = {}) => ({
    name: 'One',
    type,
    columns,
    config,
    ...more,
  });
  test.each<[string, object]>([
    ['/rules/0/columns', on('NullRate', [])],
    ['/rules/0/columns/0', on('NullRate', ['nothing'])],
    ['/rules/0/columns/1', on('Uniqueness', ['id', 'id'])],
    ['/rules/0/columns', on('Volume', ['id'], { minRows: 1 })],
    ['/rules/0/config/minRows', on('Volume', [])],
    ['/rules/0/config/minRows', on('Volume', [], { minRows: 2, maxRows: 1 })],
    ['/rules/0/failAbove', on('Volume', [], { minRows: 1 }, { failAbove: 3 })],
    ['/rules/0/config/pattern', on('NullRate', ['id'], { pattern: 'x' })],
    ['/rules/0/warnAbove', on('NullRate', ['id'], {}, { warnAbove: 2, failAbove: 1 })],
    ['/rules/0/failAbove', on('NullRate', ['id'], {}, { unit: 'Percent', failAbove: 101 })],
    ['/rules/0/config/maxAgeMinutes', on('Freshness', ['paid_at'])],
    ['/rules/0/columns/0', on('Freshness', ['note'], { maxAgeMinutes: 5 })],
    ['/rules/0/config/warnAgeMinutes', on('Freshness', ['paid_at'], { maxAgeMinutes: 5, warnAgeMinutes: 6 })],
    ['/rules/0/config/min', on('Range', ['total'])],
    ['/rules/0/config/min', on('Range', ['total'], { min: 2, max: 1 })],
    ['/rules/0/config/max', on('Range', ['total'], { max: 'soon' })],
    ['/rules/0/config/max', on('Range', ['total'], { max: '2026-01-01' })],
    ['/rules/0/config/max', on('Range', ['issued_on'], { max: '2026-02-30' })],
    ['/rules/0/config/max', on('Range', ['note'], { min: 1, max: '2026-01-01' })],
    ['/rules/0/config/pattern', on('Pattern', ['note'], { pattern: '(' })],
    ['/rules/0/config/values/1', on('AcceptedValues', ['customer_id'], { values: [1, 'two'] })],
    ['/rules/0/config/table', on('Referential', ['customer_id'], { table: 'nowhere', columns: ['id'] })],
    [
      '/rules/0/config/columns/0',
      on('Referential', ['customer_id'], { schema: 'public', table: 'customers', columns: ['no'] }),
    ],
    [
      '/rules/0/config/columns',
      on('Referential', ['customer_id'], { schema: 'public', table: 'customers', columns: ['id', 'tier'] }),
    ],
    ['/rules/0/config/sql', on('CustomSql', [], { kind: 'Verdict' })],
    ['/rules/0/id', { ...volume, id: 999_999 }],
  ])('refuses an invalid rule with 400 and names the member %s', async (member, rule) => {
    const sent = fixture.root.post(path, contract(rule));
    expect(await refusal(sent)).toEqual([400, 'invalid-contract', member]);
  });

  test.each([
    ['/tableName', { tableName: 'nowhere' }],
    ['/failScore', { warnScore: 50, failScore: 60 }],
  ])('refuses an invalid contract with 400 and names the member %s', async (member, change) => {
    const sent = fixture.root.post(path, { ...contract(), ...change });
    expect(await refusal(sent)).toEqual([400, 'invalid-contract', member]);
  });

  test('refuses a contract without rules or with an unknown member with 400', async () => {
    for (const change of [{ rules: [] }, { colour: 'red' }, { rules: [{ ...volume, colour: 'red' }] }])
      expect((await fixture.root.post(path, { ...contract(), ...change })).status).toBe(400);
  });

  test.each([
    ['/rules/0/min', { ...volume, min: 1 }, 'Known members: id, name, type, columns, config, '],
    ['/rules/0/config/minimum', { ...volume, config: { minimum: 1 } }, 'Known members: maxAgeMinutes, '],
    ['/rules/0/config/min', { ...volume, config: { min: 1 } }, 'Known members: minRows, maxRows'],
    [
      '/rules/0/config/expected/0/type',
      { name: 'Shape', type: 'Schema', config: { expected: [{ name: 'id', type: 'int' }] } },
      'Known members: name, databaseType, isNullable',
    ],
  ])('refuses the unknown member %s and lists the known members', async (member, rule, expectedText) => {
    const { status, body } = await fixture.root.post(path, contract(rule));
    expect(status).toBe(400);
    const messages = body.errors.filter((error: { path: string }) => error.path === member);
    expect(messages).toMatchObject([{ message: expect.stringContaining(expectedText) }]);
  });

  test('refuses a schedule that cannot be parsed with 400', async () => {
    const sent = fixture.root.post(path, { ...contract(), cronExpression: 'often' });
    expect(await refusal(sent)).toEqual([400, 'invalid-schedule', '/cronExpression']);
  });

  test('refuses a snooze in the past or too far in the future, and an unknown owner, with 400', async () => {
    const one = `${path}/${(await make()).id}`;
    for (const days of [-1, 91]) {
      const until = new Date(Date.now() + days * 86_400_000).toISOString();
      const sent = fixture.root.post(`${one}/snooze`, { until });
      expect(await refusal(sent)).toEqual([400, 'snooze-out-of-range', '/until']);
    }
    const owner = fixture.root.put(`${one}/owner`, { userId: 999_999 });
    expect(await refusal(owner)).toEqual([400, 'unknown-user', '/userId']);
  });
});

describe('status 403', () => {
  test('refuses each change by a Viewer with 403', async () => {
    const made = await make();
    const one = `${path}/${made.id}`;
    expect((await viewer.get(one)).status).toBe(200);
    const recipients = { recipientIds: [await fixture.addRecipient()] };
    for (const sent of [
      viewer.post(path, contract()),
      viewer.put(one, contract()),
      viewer.delete(one),
      viewer.post(`${one}/snooze`, { until: null }),
      viewer.post(`${one}/recipients`, recipients),
    ])
      expect((await sent).status).toBe(403);
  });

  test('refuses an Editor who moves a custom SQL rule to another project, and a key that creates one', async () => {
    const sql = {
      name: 'Mine',
      type: 'CustomSql',
      config: { kind: 'Verdict', sql: 'select true as passed' },
    };
    const made = await make(contract(sql));
    const editor = await signIn(fixture.svc, await addUser(fixture.svc, 'mover', ['Editor']));
    await fixture.svc.sql(
      `insert into svc.project_members (project_id, user_id, role)
       select $1, id, 'Editor' from svc.users where user_name = 'mover'`,
      [fixture.projectId],
    );
    const kept = { ...contract(), rules: made['rules'] };
    expect((await editor.put(`${path}/${made.id}`, kept)).status).toBe(200);
    const own = await editor.post('/svc/api/projects', { name: 'Of the mover' });
    await fixture.root.post(`/svc/api/projects/${own.body.id}/data-sources`, {
      dataSourceId: fixture.sourceId,
    });
    const moved = editor.put(`${path}/${made.id}`, { ...kept, projectId: own.body.id });
    expect((await refusal(moved)).slice(0, 2)).toEqual([403, 'custom-sql-rule']);
    const { text } = await addKey(editor, { scopes: ['Execute'], projects: [fixture.projectId] });
    const key = fixture.svc.client(`Bearer ${text}`);
    expect((await refusal(key.post(path, contract(sql)))).slice(0, 2)).toEqual([403, 'custom-sql-rule']);
  });
});

describe('status 404', () => {
  test('returns 404 for a contract to a user without access, and for an invalid id', async () => {
    const one = `${path}/${(await make()).id}`;
    for (const sent of [stranger.get(one), stranger.put(one, contract()), stranger.delete(one)])
      expect((await sent).status).toBe(404);
    expect((await fixture.root.get(`${path}/none`)).status).toBe(404);
    expect((await stranger.get(path)).body.totalCount).toBe(0);
  });

  test('returns 404 for an unlinked or unknown data source, an unknown project and an unknown recipient', async () => {
    const other = await fixture.make('/svc/api/projects', { name: 'Elsewhere' });
    for (const change of [
      { projectId: other.id },
      { dataSourceId: 999_999 },
      { projectId: 999_999 },
      { recipientIds: [999_999] },
    ])
      expect((await fixture.root.post(path, { ...contract(), ...change })).status).toBe(404);
  });
});

test('refuses an outdated version with 412 and changes nothing', async () => {
  const made = await make();
  const one = `${path}/${made.id}`;
  const put = (version: string) =>
    fixture.root.put(one, { ...contract(), name: 'Newer' }, { headers: { 'if-match': version } });
  expect((await put('"1"')).status).toBe(200);
  expect(await refusal(put('"1"'))).toEqual([412, 'changed-meanwhile', undefined]);
  expect((await fixture.root.get(one)).body).toMatchObject({ name: 'Newer', version: 2 });
});

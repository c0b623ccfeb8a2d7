import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const path = '/svc/api/admin-settings';
let svc: RunningService;
let root: HttpClient;
let securityAdmin: HttpClient;
let auditor: HttpClient;

beforeAll(async () => {
  svc = await startService({
    config: { 'Svc:BaseUrl': 'https://configured.example.org/svc', 'Svc:Jobs:Workers': 0 },
  });
  root = await setUp(svc);
  await createUser(svc.database, 'security', 'SecurityAdmin');
  await createUser(svc.database, 'auditor', 'Auditor');
  securityAdmin = await signIn(svc, 'security');
  auditor = await signIn(svc, 'auditor');
});
afterAll(() => svc.close());

describe('status 200', () => {
  test('a set value overrides the configuration, null restores it, and each change is in the history and the audit log', async () => {
    const configured = 'https://configured.example.org/svc';
    expect((await auditor.get(path)).body).toMatchObject({
      settings: {
        baseUrl: { value: configured, configuredValue: configured, isSetAtRunTime: false, needs: 'Admin' },
        defaultTimeZone: { value: 'UTC', isLocked: false, needs: 'SecurityAdmin' },
      },
      history: [],
    });
    const set = await root.put(path, { baseUrl: ' https://links.example.org/svc/ ' });
    expect(set).toMatchObject({
      status: 200,
      body: {
        settings: {
          baseUrl: {
            value: 'https://links.example.org/svc',
            configuredValue: configured,
            isSetAtRunTime: true,
          },
        },
      },
    });
    expect((await securityAdmin.put(path, { defaultTimeZone: 'Europe/Zagreb' })).status).toBe(200);
    const back = await root.put(path, { baseUrl: null });
    expect(back.body.settings.baseUrl).toMatchObject({ value: configured, isSetAtRunTime: false });
    expect(back.body.history).toMatchObject([
      { setting: 'baseUrl', oldValue: 'https://links.example.org/svc', newValue: null },
      {
        setting: 'defaultTimeZone',
        oldValue: null,
        newValue: 'Europe/Zagreb',
        changedByUserName: 'security',
      },
      { setting: 'baseUrl', oldValue: null, changedByUserName: 'The first administrator' },
    ]);
    const { rows } = await svc.database.query(
      "select detail from svc.audit_events where event = 'settings.setting_changed' order by id",
    );
    expect(rows.map(({ detail }) => detail.setting)).toEqual(['baseUrl', 'defaultTimeZone', 'baseUrl']);
  });

  test('an unchanged value is not a change, so a SecurityAdmin may include it in a request', async () => {
    await root.put(path, { baseUrl: 'https://stays.example.org/svc' });
    const { history } = (await auditor.get(path)).body;
    const same = { baseUrl: 'https://stays.example.org/svc', defaultTimeZone: 'Europe/Zagreb' };
    expect((await securityAdmin.put(path, same)).body.history).toEqual(history);
  });

  test('a schedule without a time zone uses the default time zone of the settings', async () => {
    await securityAdmin.put(path, { defaultTimeZone: 'Asia/Tokyo' });
    const answer = await root.post('/svc/api/subscriptions/schedule-preview', {
      cronExpression: '0 6 * * *',
    });
    expect(answer).toMatchObject({ status: 200, body: { timeZone: 'Asia/Tokyo' } });
  });
});

describe('status 400', () => {
  test.each([
    'links.example.org/svc',
    'ftp://links.example.org/svc',
    'javascript:alert(1)//svc',
    'https://links.example.org',
    'https://links.example.org/other',
    'https://links.example.org/svc/more',
    'https://user:password@links.example.org/svc',
    'https://links.example.org/svc?x=1',
    'https://links.example.org/svc#x',
    '',
  ])('refuses the base URL %j with 400', async (baseUrl) => {
    const answer = await root.put(path, { baseUrl });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ path: '/baseUrl' }]);
  });

  test.each(['Mars/Olympus', '', 'UTC; drop table'])(
    'refuses the time zone %j with 400',
    async (defaultTimeZone) => {
      expect((await root.put(path, { defaultTimeZone })).status).toBe(400);
    },
  );

  test('refuses unknown members and values of other types with 400', async () => {
    expect((await root.put(path, { unknown: 'x' })).status).toBe(400);
    expect((await root.put(path, { baseUrl: 1 })).status).toBe(400);
  });

  test('changes nothing if one of several settings is refused', async () => {
    const before = (await root.get(path)).body;
    const answer = await root.put(path, { defaultTimeZone: 'Europe/Paris', baseUrl: 'nonsense' });
    expect(answer.status).toBe(400);
    expect((await root.get(path)).body).toEqual(before);
  });
});

describe('status 403', () => {
  test('refuses a SecurityAdmin who changes the base URL, and applies no other setting of the request', async () => {
    const before = (await auditor.get(path)).body;
    const input = { defaultTimeZone: 'Europe/Paris', baseUrl: 'https://mine.example.org/svc' };
    expect(await securityAdmin.put(path, input)).toMatchObject({
      status: 403,
      body: { code: 'admin-required' },
    });
    expect((await auditor.get(path)).body).toEqual(before);
  });

  test('refuses a change by an Auditor with 403', async () => {
    expect((await auditor.put(path, { defaultTimeZone: 'UTC' })).status).toBe(403);
  });
});

describe('status 409', () => {
  test('a locked setting has its configured value, regardless of an earlier change, and cannot be changed', async () => {
    await root.put(path, { baseUrl: 'https://before.example.org/svc' });
    const locked = await startService({
      on: svc,
      config: {
        'Svc:BaseUrl': 'https://fixed.example.org/svc',
        'Svc:AdminSettings:Locked': ['BaseUrl'],
        'Svc:Jobs:Workers': 0,
      },
    });
    const admin = await signIn(locked, 'root');
    expect((await admin.get(path)).body.settings.baseUrl).toMatchObject({
      value: 'https://fixed.example.org/svc',
      isLocked: true,
      isSetAtRunTime: false,
    });
    const answer = await admin.put(path, { baseUrl: 'https://other.example.org/svc' });
    expect(answer).toMatchObject({
      status: 409,
      body: { type: '/errors/setting-locked', title: 'The setting baseUrl is locked' },
    });
    expect((await admin.put(path, { defaultTimeZone: 'UTC' })).status).toBe(200);
    await locked.close();
  });

  test('the service does not start if Svc:AdminSettings:Locked contains an unknown name', async () => {
    const config = { 'Svc:AdminSettings:Locked': ['Nonsense'] };
    await expect(startService({ on: svc, config })).rejects.toThrow('Svc:AdminSettings:Locked: "Nonsense"');
  });
});

test('simultaneous changes are all in the history, in the order in which they took effect', async () => {
  const zones = ['Europe/Rome', 'Europe/Oslo', 'Europe/Riga', 'Europe/Kyiv'];
  await Promise.all(zones.map((defaultTimeZone) => root.put(path, { defaultTimeZone })));
  const { history, settings } = (await root.get(path)).body;
  const own = history.slice(0, zones.length);
  expect(own.map(({ newValue }: { newValue: string }) => newValue).toSorted()).toEqual(zones.toSorted());
  expect(settings.defaultTimeZone.value).toBe(own[0].newValue);
  for (const [index, { oldValue }] of own.slice(0, -1).entries())
    expect(oldValue).toBe(own[index + 1].newValue);
});

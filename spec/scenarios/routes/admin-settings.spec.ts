import { person } from '@svc/testkit/runs/approve.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { jsonOf, sendOnce } from '../support/send-once.ts';

const route = '/svc/api/admin-settings';

scenario(
  ['DL-5.3-02', 'DL-5.3-03', 'RT-4.3-71'],
  'an Admin sets the base URL of links with its /svc segment at run time, and every process uses it from the next message',
  async ({ deliver }) => {
    const fixture = await deliver({ 'Svc:Jobs:Workers': 0 });
    const { root, svc } = fixture;
    await svc.replica({ 'Svc:Jobs:Workers': 2 });
    const queryId = await fixture.addQuery('select 1 as one');
    const linkOf = async () => jsonOf((await sendOnce(fixture, queryId)).received[0])['notificationUrl'];
    expect(await linkOf()).toBeUndefined();

    for (const baseUrl of ['https://svc.example.org', 'https://svc.example.org/other', 'svc.example.org/svc'])
      expect([baseUrl, (await root.put(route, { baseUrl })).status]).toEqual([baseUrl, 400]);
    const securityAdmin = await person(fixture, 'SecurityAdmin');
    const baseUrl = 'https://svc.example.org/svc';
    expect((await securityAdmin.put(route, { baseUrl })).status).toBe(403);
    const admin = await person(fixture, 'Admin');
    expect((await admin.put(route, { baseUrl })).status).toBe(200);
    expect(await linkOf()).toMatch(/^https:\/\/svc\.example\.org\/svc\/notifications\/\d+$/);
    expect((await admin.put(route, { baseUrl: null })).status).toBe(200);
    expect(await linkOf()).toBeUndefined();
  },
);

scenario(
  ['RT-4.3-69', 'RT-7-06'],
  'Auditors and SecurityAdmins can read the settings with their history; changing a locked setting returns 409',
  async ({ deliver }) => {
    const fixture = await deliver({
      'Svc:BaseUrl': 'https://fixed.example.org/svc',
      'Svc:AdminSettings:Locked': ['BaseUrl'],
    });
    const locked = await fixture.root.put(route, { baseUrl: 'https://other.example.org/svc' });
    expect(locked.status).toBe(409);
    expect(locked.headers.get('content-type')).toContain('application/problem+json');
    expect(locked.body).toMatchObject({ type: '/errors/setting-locked', status: 409 });
    const securityAdmin = await person(fixture, 'SecurityAdmin');
    expect((await securityAdmin.put(route, { defaultTimeZone: 'Europe/Zagreb' })).status).toBe(200);
    for (const reader of [await person(fixture, 'Auditor'), securityAdmin])
      expect((await reader.get(route)).body).toMatchObject({
        settings: { baseUrl: { value: 'https://fixed.example.org/svc', isLocked: true } },
        history: [{ setting: 'defaultTimeZone', newValue: 'Europe/Zagreb' }],
      });
    for (const role of ['Viewer', 'Editor', 'Approver', 'UserAdmin'] as const)
      expect((await (await person(fixture, role)).get(route)).status).toBe(403);
  },
);

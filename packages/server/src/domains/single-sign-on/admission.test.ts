import { type Answer, createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { passThrough, startTestProvider, type TestProvider, testClient } from './testing/provider.ts';

const section = 'Svc:Authentication:Oidc';
const challenge = '/svc/api/auth/sso/challenge';
const tenant = 'tenant-1';

let provider: TestProvider;
let first: RunningService;
const running: RunningService[] = [];

const settings = (change: Record<string, unknown> = {}) => ({
  [`${section}:Enabled`]: true,
  [`${section}:Authority`]: provider.issuer,
  [`${section}:ClientId`]: testClient.id,
  [`${section}:ClientSecret`]: testClient.secret,
  [`${section}:AllowedTenants`]: [tenant],
  [`${section}:EnableFrontChannelLogout`]: true,
  'Svc:Authorization:IdpRoles': { 'svc-audit': ['Auditor'], 'svc-all': ['UserAdmin', 'Approver'] },
  ...change,
});
/** Starts a service with these settings on the same database. */
async function withSettings(change: Record<string, unknown>): Promise<RunningService> {
  const svc = await startService({ on: first, config: settings(change) });
  running.push(svc);
  return svc;
}

beforeAll(async () => {
  provider = await startTestProvider(() => running.map(({ origin }) => `${origin}/signin-oidc`));
  first = await startService({ config: settings() });
  running.push(first);
  await setUp(first);
});
afterAll(async () => {
  for (const svc of running.toReversed()) await svc.close();
  await provider.close();
});

let counter = 0;
beforeEach(() => {
  counter += 1;
  provider.person = {
    sub: `person-${counter}`,
    tid: tenant,
    name: `Person ${counter}`,
    preferred_username: `person${counter}`,
    email: `person${counter}@example.org`,
  };
});

type Attempt = { client: HttpClient; callback: string; answer: Answer };
async function attempt(
  svc = first,
  client = createHttpClient(svc.origin),
  returnUrl = '/svc/projects/1',
): Promise<Attempt> {
  const begun = await client.get(`${challenge}?returnUrl=${encodeURIComponent(returnUrl)}`);
  expect(begun.status).toBe(302);
  const callback = (await passThrough(provider, begun.headers.get('location') ?? '')).slice(
    svc.origin.length,
  );
  return { client, callback, answer: await client.get(callback) };
}
const whereTo = ({ answer }: Attempt) => [answer.status, answer.headers.get('location')];

describe('admission', () => {
  const refused = (reason: string) => [302, `/svc/error?reason=sso-${reason}`];
  const noUser = async () => {
    const { rowCount } = await first.database.query('select from svc.users where subject = $1', [
      provider.person.sub,
    ]);
    expect(rowCount).toBe(0);
  };

  test.each([{ tid: 'other' }, { tid: undefined }, { tid: '' }, { tid: [tenant, 'other'] }])(
    'refuses another tenant or a missing tenant: %o',
    async (claims) => {
      provider.person = { ...provider.person, ...claims };
      const done = await attempt();
      expect(whereTo(done)).toEqual(refused('tenant'));
      expect(done.client.cookies.has('Svc.Auth')).toBe(false);
      await noUser();
    },
  );

  test.each([{ acct: 1 }, { acct: '1' }, { idp: 'https://elsewhere.example' }])(
    'refuses a guest unless guests are allowed: %o',
    async (claims) => {
      provider.person = { ...provider.person, ...claims };
      expect(whereTo(await attempt())).toEqual(refused('guest'));
      await noUser();
      const lenient = await withSettings({ [`${section}:BlockGuests`]: false });
      expect(whereTo(await attempt(lenient))[1]).toBe('/svc/projects/1');
    },
  );

  test('accepts an account whose idp is the issuer itself', async () => {
    provider.person = { ...provider.person, acct: 0, idp: provider.issuer };
    expect(whereTo(await attempt())[1]).toBe('/svc/projects/1');
  });

  test('requires one of the required groups or roles, and one is enough', async () => {
    const svc = await withSettings({
      [`${section}:RequiredGroups`]: ['group-1', 'group-2'],
      [`${section}:RequiredRoles`]: ['role-1'],
    });
    expect(whereTo(await attempt(svc))).toEqual(refused('group-or-role'));
    provider.person['groups'] = ['group-3'];
    expect(whereTo(await attempt(svc))).toEqual(refused('group-or-role'));
    await noUser();
    provider.person['groups'] = ['group-2'];
    expect(whereTo(await attempt(svc))[1]).toBe('/svc/projects/1');
    provider.person = { ...provider.person, groups: [], roles: ['role-1'] };
    expect(whereTo(await attempt(svc))[1]).toBe('/svc/projects/1');
  });

  test('accepts a second factor by amr or by an accepted acr', async () => {
    const svc = await withSettings({
      [`${section}:RequireMfa`]: true,
      [`${section}:AcceptedAcrValues`]: ['strong'],
    });
    for (const claims of [{}, { amr: ['pwd'] }, { acr: 'weak' }]) {
      provider.person = { ...provider.person, ...claims };
      expect(whereTo(await attempt(svc))).toEqual(refused('mfa'));
    }
    provider.person = { ...provider.person, amr: ['pwd', 'mfa'] };
    expect(whereTo(await attempt(svc))[1]).toBe('/svc/projects/1');
    provider.person = { ...provider.person, amr: ['pwd'], acr: 'strong' };
    expect(whereTo(await attempt(svc))[1]).toBe('/svc/projects/1');
  });

  test('checks in this order: tenant, guest, group or role, second factor', async () => {
    const svc = await withSettings({ [`${section}:RequiredRoles`]: ['r'], [`${section}:RequireMfa`]: true });
    const steps = [
      [{ tid: 'other', acct: 1 }, 'tenant'],
      [{ tid: tenant, acct: 1 }, 'guest'],
      [{ acct: 0 }, 'group-or-role'],
      [{ roles: ['r'] }, 'mfa'],
    ] as const;
    for (const [claims, reason] of steps) {
      provider.person = { ...provider.person, ...claims };
      expect(whereTo(await attempt(svc))).toEqual(refused(reason));
    }
  });

  test.each(['is_enabled = false', 'archived_at = now()'])(
    'refuses a user with %s and does not create the user again',
    async (change) => {
      await attempt();
      await first.database.query(`update svc.users set ${change} where subject = $1`, [provider.person.sub]);
      const done = await attempt();
      expect(whereTo(done)).toEqual(refused('disabled'));
      expect(done.client.cookies.has('Svc.Auth')).toBe(false);
      const { rowCount } = await first.database.query('select from svc.users where subject = $1', [
        provider.person.sub,
      ]);
      expect(rowCount).toBe(1);
    },
  );
});

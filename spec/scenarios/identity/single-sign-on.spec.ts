import { bearerSettings, tokenOf } from '@svc/testkit/people/access-token.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { hostAnswer, logLevel } from '@svc/testkit/service/service.ts';
import { describe, expect } from 'vitest';
import {
  oidc,
  type SigningOn,
  startBesideProvider,
  startSigningOn,
  tenant,
} from '../support/hosts/single-sign-on.ts';
import { openMcp } from '../support/mcp.ts';
import { scenario } from '../support/scenario.ts';

const challenge = '/svc/api/auth/sso/challenge';
const rolesOf = async ({ browser }: Awaited<ReturnType<SigningOn['signOn']>>) =>
  (await browser.get('/svc/api/auth/me')).read<{ roles: string[] }>().roles;

describe('sign-in by single sign-on', () => {
  scenario(
    [
      'ID-1-07',
      'ID-4-12',
      'ID-5.4-01',
      'ID-5.4-02',
      'ID-5.4-06',
      'ID-5.4-07',
      'ID-2.6-06',
      'RT-4.2-09',
      'RT-4.2-18',
    ],
    'a user signs in with an authorization code and PKCE, and the cookie contains no token',
    async ({ start, onEnd }) => {
      const fixture = await startSigningOn(start);
      onEnd(fixture.close);
      const begun = await fixture.svc.client().get(challenge);
      const url = new URL(begun.headers.get('location') ?? '');
      expect([begun.status, url.origin]).toEqual([302, fixture.provider.issuer]);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        scope: 'openid profile email',
        redirect_uri: `${fixture.svc.origin}/signin-oidc`,
      });
      const short = await fixture.with({ [oidc('Scopes')]: ['openid', 'email'] });
      const wanted = new URL((await short.client().get(challenge)).headers.get('location') ?? '');
      expect(wanted.searchParams.get('scope')).toBe('openid email');
      const name = fixture.person();
      const { browser, answer, isIn } = await fixture.signOn();
      expect(isIn).toBe(true);
      expect((await browser.get('/svc/api/auth/me')).body).toMatchObject({ userName: name });
      expect(answer.setCookies.join()).not.toContain('eyJ');
      expect([...browser.cookies.values()].join()).not.toContain('eyJ');
    },
  );

  scenario(
    ['ID-4-16', 'ID-5.4-03', 'ID-4-11', 'ID-5.4-20'],
    'while single sign-on is off, its challenge, callback and button do not exist',
    async ({ start, svc, onEnd }) => {
      expect((await svc.client().get(challenge)).status).toBe(404);
      const callbacks = ['/signin-oidc', '/own/callback'];
      const servedBy = async (service: typeof svc) => {
        const served: string[] = [];
        for (const path of callbacks) {
          const { text } = await service.client().get(`${path}?code=x&state=y`);
          if (text !== hostAnswer) served.push(path);
        }
        return served;
      };
      expect(await servedBy(svc)).toEqual([]);
      expect((await svc.client().get('/svc/api/auth/sso')).body).toMatchObject({ enabled: false });
      const fixture = await startSigningOn(start);
      onEnd(fixture.close);
      const sso = async (service: typeof svc) => (await service.client().get('/svc/api/auth/sso')).body;
      expect(await sso(fixture.svc)).toMatchObject({ enabled: true, displayName: 'SSO' });
      const named = await fixture.with({
        [oidc('DisplayName')]: 'Company',
        [oidc('CallbackPath')]: '/own/callback',
      });
      expect(await sso(named)).toMatchObject({ enabled: true, displayName: 'Company' });
      expect(await servedBy(fixture.svc)).toEqual(['/signin-oidc']);
      expect(await servedBy(named)).toEqual(['/own/callback']);
      fixture.person();
      expect((await fixture.signOn(named)).isIn).toBe(true);
      const off = await fixture.with({ [oidc('Enabled')]: false, [oidc('CallbackPath')]: '/own/callback' });
      expect(await servedBy(off)).toEqual([]);
    },
  );

  scenario(
    ['ID-5.4-14', 'ID-5.4-15'],
    'a new user gets the default role, or no role until an administrator grants one',
    async ({ start, onEnd }) => {
      const fixture = await startSigningOn(start);
      onEnd(fixture.close);
      fixture.person();
      const none = await fixture.signOn();
      expect(await rolesOf(none)).toEqual([]);
      expect((await none.browser.get('/svc/api/projects')).status).toBe(403);
      const generous = await fixture.with({ [oidc('DefaultRoleName')]: 'Viewer' });
      fixture.person();
      expect(await rolesOf(await fixture.signOn(generous))).toEqual(['Viewer']);
    },
  );

  scenario(
    ['ID-2.6-13', 'ID-5.4-23'],
    'app roles of the provider grant functional permissions at sign-in',
    async ({ start, onEnd }) => {
      const fixture = await startSigningOn(start, {
        'Svc:Authorization:IdpRoles': { 'app-audit': ['Auditor'] },
      });
      onEnd(fixture.close);
      fixture.person({ roles: ['app-audit', 'app-other'] });
      const { browser } = await fixture.signOn();
      expect((await browser.get('/svc/api/auth/permissions')).body).toMatchObject({
        permissions: ['Auditor'],
      });
      expect((await browser.get('/svc/api/api-keys/admin')).status).toBe(200);
    },
  );

  scenario(
    ['ID-5.1-09'],
    'single sign-on and MCP tokens create users only after the first administrator exists',
    async ({ start, onEnd }) => {
      const fixture = await startBesideProvider(start, {
        ...bearerSettings,
        'Svc:Mcp:Callers': {
          Users: { Enabled: true, RequiredRoles: ['Analyst'], DefaultRoleName: 'Editor' },
        },
      });
      onEnd(fixture.close);
      const { svc } = fixture;
      const byToken = () =>
        openMcp(
          svc.client(
            `Bearer ${tokenOf({ sub: 'by-token', preferred_username: 'by-token', roles: ['Analyst'] })}`,
          ),
        );
      const names = async () =>
        (await svc.sql<{ name: string }>('select user_name as name from svc.users order by id')).map(
          ({ name }) => name,
        );
      for (const path of [challenge, '/signin-oidc?code=x&state=y']) {
        const answer = await svc.client().get(path);
        expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, '/svc/setup']);
      }
      const refused = await byToken();
      expect([refused.status, refused.headers.get('location')]).toEqual([302, '/svc/setup']);
      expect(await names()).toEqual([]);
      await setUp(svc);
      const person = fixture.person();
      expect((await fixture.signOn()).isIn).toBe(true);
      expect((await byToken()).status).toBe(200);
      expect(await names()).toEqual(['root', person, 'by-token']);
    },
  );

  scenario(
    ['ID-4-17', 'ID-5.4-19', 'RT-4.2-19'],
    'front-channel sign-out exists only if it is enabled, and ends the session',
    async ({ start, onEnd }) => {
      const fixture = await startSigningOn(start);
      onEnd(fixture.close);
      expect((await fixture.svc.client().get('/signout-oidc')).text).toBe(hostAnswer);
      const on = await fixture.with({ [oidc('EnableFrontChannelLogout')]: true });
      fixture.person({ sid: 'provider-session' });
      const { browser } = await fixture.signOn(on);
      const [session] = await fixture.svc.sql<{ sid: string }>(
        'select identity_provider_session as sid from svc.sessions where identity_provider_session is not null',
      );
      const query = new URLSearchParams({ sid: session?.sid ?? '', iss: fixture.provider.issuer });
      expect((await on.client().get(`/signout-oidc?${query}`)).status).toBe(200);
      expect((await browser.get('/svc/api/auth/permissions')).status).toBe(401);
    },
  );
});

describe('admission by single sign-on', () => {
  scenario(
    ['ID-5.4-08', 'ID-5.4-10'],
    'only users of allowed tenants are admitted, unless any tenant is allowed',
    async ({ start, onEnd }) => {
      const fixture = await startSigningOn(start);
      onEnd(fixture.close);
      for (const tid of ['other', undefined]) {
        fixture.person({ tid });
        expect((await fixture.signOn()).isIn).toBe(false);
      }
      const any = await fixture.with({ [oidc('AllowAnyTenant')]: true, [oidc('AllowedTenants')]: [] });
      fixture.person({ tid: 'other' });
      expect((await fixture.signOn(any)).isIn).toBe(true);
      expect((await fixture.signOn()).isIn).toBe(false);
      const two = await fixture.with({ [oidc('AllowedTenants')]: [tenant, 'tenant-2'] });
      for (const [tid, isIn] of [
        [tenant, true],
        ['tenant-2', true],
        ['tenant-3', false],
      ] as const) {
        fixture.person({ tid });
        expect([tid, (await fixture.signOn(two)).isIn]).toEqual([tid, isIn]);
      }
    },
  );

  scenario(['ID-5.4-12'], 'guests are refused unless they are allowed', async ({ start, onEnd }) => {
    const fixture = await startSigningOn(start);
    onEnd(fixture.close);
    const lenient = await fixture.with({ [oidc('BlockGuests')]: false });
    for (const claims of [{ acct: 1 }, { idp: 'https://elsewhere.example' }]) {
      fixture.person(claims);
      expect((await fixture.signOn()).isIn).toBe(false);
      expect((await fixture.signOn(lenient)).isIn).toBe(true);
    }
    fixture.person({ acct: 0, idp: fixture.provider.issuer });
    expect((await fixture.signOn()).isIn).toBe(true);
  });

  scenario(
    ['ID-5.4-13'],
    'a user needs at least one of the required groups and roles',
    async ({ start, onEnd }) => {
      const fixture = await startSigningOn(start, {
        [oidc('RequiredGroups')]: ['group-1', 'group-2'],
        [oidc('RequiredRoles')]: ['role-1'],
      });
      onEnd(fixture.close);
      const cases = [
        [{}, false],
        [{ groups: ['group-3'], roles: ['role-2'] }, false],
        [{ groups: ['group-2'] }, true],
        [{ roles: ['role-1'] }, true],
      ] as const;
      for (const [claims, isIn] of cases) {
        fixture.person(claims);
        expect([claims, (await fixture.signOn()).isIn]).toEqual([claims, isIn]);
      }
    },
  );

  scenario(
    ['ID-5.4-17', 'ID-5.4-18'],
    'if a second factor is required, amr or an accepted acr proves it',
    async ({ start, onEnd }) => {
      const fixture = await startSigningOn(start, { [oidc('RequireMfa')]: true });
      onEnd(fixture.close);
      const accepting = await fixture.with({ [oidc('AcceptedAcrValues')]: ['strong'] });
      const cases = [
        [{}, false, false],
        [{ amr: ['pwd'] }, false, false],
        [{ amr: ['pwd', 'mfa'] }, true, true],
        [{ acr: 'strong' }, false, true],
        [{ acr: 'weak' }, false, false],
      ] as const;
      for (const [claims, byDefault, accepted] of cases) {
        fixture.person(claims);
        expect([claims, (await fixture.signOn()).isIn]).toEqual([claims, byDefault]);
        expect([claims, (await fixture.signOn(accepting)).isIn]).toEqual([claims, accepted]);
      }
    },
  );

  scenario(
    ['ID-5.4-21'],
    'tenant, guest status, and group or role are checked in this order, before the user is looked up',
    async ({ start, onEnd }) => {
      const fixture = await startSigningOn(start, { [oidc('RequiredRoles')]: ['role-1'] });
      onEnd(fixture.close);
      const { svc } = fixture;
      const knownClaims = { sub: 'known', preferred_username: 'known' };
      const refusalOf = async (claims: Record<string, unknown>) => {
        fixture.person({ ...knownClaims, ...claims });
        const { answer, isIn } = await fixture.signOn();
        expect(isIn).toBe(false);
        return new URL(answer.headers.get('location') ?? '', svc.origin).searchParams.get('reason');
      };
      const inOrder = [{ tid: 'other', acct: 1 }, { tid: 'other', roles: ['role-1'] }, { acct: 1 }, {}];
      const refusals = async () => {
        const reasons: (string | null)[] = [];
        for (const claims of inOrder) reasons.push(await refusalOf(claims));
        return reasons;
      };
      const expected = ['sso-tenant', 'sso-tenant', 'sso-guest', 'sso-group-or-role'];
      expect(await refusals()).toEqual(expected);
      expect(await svc.sql('select from svc.users where subject = $1', [knownClaims.sub])).toEqual([]);
      // The response reveals a disabled user only after the provider's claims pass all checks.
      fixture.person({ ...knownClaims, roles: ['role-1'] });
      expect((await fixture.signOn()).isIn).toBe(true);
      await svc.sql('update svc.users set is_enabled = false where subject = $1', [knownClaims.sub]);
      expect(await refusals()).toEqual(expected);
      expect(await refusalOf({ roles: ['role-1'] })).toBe('sso-disabled');
    },
  );
});

describe('settings of single sign-on', () => {
  scenario(
    ['ID-5.4-04', 'ID-5.4-05', 'ID-5.4-09', 'ID-5.4-16'],
    'an invalid section prevents the start, and the error names the setting',
    async ({ start }) => {
      const sound = {
        [oidc('Enabled')]: true,
        [oidc('Authority')]: 'https://idp.example.com',
        [oidc('ClientId')]: 'svc',
        [oidc('ClientSecret')]: 'secret',
        [oidc('AllowedTenants')]: [tenant],
      };
      await start(sound);
      const bad: [string, unknown][] = [
        ['Authority', undefined],
        ['ClientId', undefined],
        ['ClientSecret', undefined],
        ['AllowedTenants', []],
        ...['Admin', 'UserAdmin', 'SecurityAdmin', 'Auditor', 'Approver', 'Nonsense'].map(
          (role): [string, unknown] => ['DefaultRoleName', role],
        ),
      ];
      for (const [name, value] of bad)
        await expect(start({ ...sound, [oidc(name)]: value })).rejects.toThrow(oidc(name));
    },
  );

  scenario(
    ['ID-5.4-11'],
    'allowing any tenant of an Entra authority causes a warning at the start',
    async ({ start }) => {
      const settings = {
        [oidc('Enabled')]: true,
        [oidc('ClientId')]: 'svc',
        [oidc('ClientSecret')]: 'secret',
        [oidc('AllowAnyTenant')]: true,
      };
      const warnings = async (authority: string) => {
        const svc = await start({ ...settings, [oidc('Authority')]: authority });
        return svc.log.filter(({ level, msg }) => level === logLevel.warn && /tenant/i.test(msg)).length;
      };
      expect(await warnings('https://login.microsoftonline.com/common/v2.0')).toBe(1);
      expect(await warnings('https://idp.example.com')).toBe(0);
    },
  );
});

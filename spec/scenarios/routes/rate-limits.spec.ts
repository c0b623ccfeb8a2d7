import type { Answer } from '@svc/testkit/client/http-client.ts';
import { parseList } from 'structured-headers';
import { expect } from 'vitest';
import { startSigningOn } from '../support/hosts/single-sign-on.ts';
import { scenario } from '../support/scenario.ts';

type Told = { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> };

/** Returns the only member of a structured field that is a list of strings with parameters. */
function member(answer: Answer, header: string): Told {
  const list = parseList(answer.headers.get(header) ?? '');
  expect([header, list.length]).toEqual([header, 1]);
  const [name, parameters] = list[0] ?? [];
  expect(typeof name).toBe('string');
  return { name: String(name), parameters: Object.fromEntries(parameters ?? new Map()) };
}

/** Returns the limit of a response. Expects both headers to describe the same limit. */
function limitOf(answer: Answer) {
  const policy = member(answer, 'ratelimit-policy');
  const now = member(answer, 'ratelimit');
  expect(now.name).toBe(policy.name);
  expect(Object.keys(policy.parameters)).toEqual(['q', 'w']);
  expect(Object.keys(now.parameters)).toEqual(['r', 't']);
  expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  const { q, w } = policy.parameters;
  const { r, t } = now.parameters;
  expect(Number.isInteger(t) && Number(t) >= 1 && Number(t) <= Number(w)).toBe(true);
  return { name: policy.name, quota: q, windowSeconds: w, remaining: r };
}

const login = '/svc/api/auth/login';
const setup = '/svc/api/setup/superadmin';
const changePassword = '/svc/api/user-settings/change-password';

/** Sends requests until the limit is reached. Each response counts down by one, and the refusal has `Retry-After`. */
async function useUp(
  ask: () => Promise<Answer>,
  limit: { name: string; quota: number; windowSeconds: number; status: number },
): Promise<void> {
  const { status, ...policy } = limit;
  for (let remaining = limit.quota - 1; remaining >= 0; remaining--) {
    const answer = await ask();
    expect([limit.name, answer.status, limitOf(answer)]).toEqual([
      limit.name,
      status,
      { ...policy, remaining },
    ]);
    expect(answer.headers.get('retry-after')).toBeNull();
  }
  const refused = await ask();
  expect([limit.name, refused.status]).toEqual([limit.name, 429]);
  expect(limitOf(refused)).toEqual({ ...policy, remaining: 0 });
  expect(refused.headers.get('retry-after')).toBe(String(member(refused, 'ratelimit').parameters['t']));
}

scenario(
  ['RT-8-980', 'RT-8-981', 'RT-8-982', 'RT-8-983'],
  'limited routes report their limit and the remaining requests in structured fields',
  async ({ start, onEnd }) => {
    const beside = await startSigningOn(start);
    onEnd(beside.close);
    const { svc, root } = beside;
    const [guesser, starter, visitor] = [svc.client(), svc.client(), svc.client()];
    const perMinute = { quota: 10, windowSeconds: 60 };
    await useUp(() => guesser.post(login, { username: 'nobody', password: 'x', rememberMe: false }), {
      name: 'sign-in',
      ...perMinute,
      status: 401,
    });
    const setupBody = { setupToken: 'x', userName: 'abc', password: 'x', confirmPassword: 'x' };
    await useUp(() => starter.post(setup, setupBody), { name: 'setup', ...perMinute, status: 400 });
    await useUp(() => visitor.get('/svc/api/auth/sso/challenge'), {
      name: 'sso-challenge',
      quota: 30,
      windowSeconds: 60,
      status: 302,
    });
    await useUp(() => root.post(changePassword, { currentPassword: 'wrong', newPassword: 'x' }), {
      name: 'change-password',
      ...perMinute,
      status: 400,
    });
    expect((await root.get('/svc/api/projects')).headers.get('ratelimit')).toBeNull();
  },
);

scenario(
  ['RT-8-980', 'RT-8-981', 'RT-8-982'],
  'a forced metadata refresh reports when the next one is allowed, for each source',
  async ({ deliver }) => {
    const { root, dataSourceId } = await deliver();
    await useUp(() => root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`), {
      name: 'refresh-metadata',
      quota: 1,
      windowSeconds: 30,
      status: 200,
    });
  },
);

type Described = { readonly headers?: Readonly<Record<string, unknown>> };
type Operation = { readonly operationId: string; readonly responses: Readonly<Record<string, Described>> };
type OpenApi = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

scenario(
  ['RT-8-984'],
  'the OpenAPI document lists the rate-limit headers only where they apply',
  async ({ start, onEnd }) => {
    const { root, close } = await startSigningOn(start);
    onEnd(close);
    const { paths } = (await root.get('/openapi/v1.json')).read<OpenApi>();
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const refusals = operations.flatMap(({ responses }) => responses['429'] ?? []);
    expect(refusals.length).toBeGreaterThan(5);
    for (const { headers } of refusals) expect(Object.keys(headers ?? {})).toContain('Retry-After');
    const limited = operations.filter(({ responses }) =>
      Object.values(responses).some(({ headers }) => headers && 'RateLimit' in headers),
    );
    expect(limited.map(({ operationId }) => operationId).sort()).toEqual([
      'changePassword',
      'createSuperAdmin',
      'login',
      'refreshDataSourceMetadata',
      'startSingleSignOn',
    ]);
    for (const { responses } of limited)
      for (const name of ['RateLimit', 'RateLimit-Policy'])
        expect(Object.keys(responses['429']?.headers ?? {})).toContain(name);
  },
);

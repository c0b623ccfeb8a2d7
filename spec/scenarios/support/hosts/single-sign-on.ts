import type { Answer, HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import type { Settings } from '@svc/testkit/service/settings.ts';
import {
  passThrough,
  startTestProvider,
  type TestProvider,
  testClient,
} from '../../../../packages/server/src/domains/single-sign-on/testing/provider.ts';
import type { StartService } from '../scenario.ts';

const section = 'Svc:Authentication:Oidc';
const challenge = '/svc/api/auth/sso/challenge';

/** The tenant that may sign in unless a scenario says otherwise. */
export const tenant = 'tenant-1';

/** Name of an OIDC setting. */
export const oidc = (name: string): string => `${section}:${name}`;

/** Result of a sign-in through the provider. */
export type SignOn = {
  readonly browser: HttpClient;
  /** Answer of the service to the callback. */
  readonly answer: Answer;
  /** True when the browser has a session afterwards. */
  readonly isIn: boolean;
};

/** A service with a real identity provider, and with open setup. */
export type BesideProvider = {
  readonly svc: RunningService;
  readonly provider: TestProvider;
  /** Starts a second process with other settings on the same database. */
  readonly with: (settings: Settings) => Promise<RunningService>;
  /** Signs a new user with these claims in at the provider. Returns the user's name. */
  readonly person: (claims?: Readonly<Record<string, unknown>>) => string;
  /** Signs in as the sign-in button does: to the provider and back. */
  readonly signOn: (service?: RunningService, callbackPath?: string) => Promise<SignOn>;
  readonly close: () => Promise<void>;
};

/** The same service with completed setup. */
export type SigningOn = BesideProvider & { readonly root: HttpClient };

let count = 0;

/** Starts a provider and a service that trusts it, and completes setup. */
export async function startSigningOn(
  start: StartService,
  settings: Settings = {},
  callbackPaths?: readonly string[],
): Promise<SigningOn> {
  const beside = await startBesideProvider(start, settings, callbackPaths);
  return { ...beside, root: await setUp(beside.svc) };
}

/** Starts a provider and a service that trusts it, with open setup. */
export async function startBesideProvider(
  start: StartService,
  settings: Settings = {},
  callbackPaths: readonly string[] = ['/signin-oidc', '/own/callback'],
): Promise<BesideProvider> {
  const running: RunningService[] = [];
  const provider = await startTestProvider(() =>
    running.flatMap(({ origin }) => callbackPaths.map((path) => origin + path)),
  );
  const svc = await start({
    [oidc('Enabled')]: true,
    [oidc('Authority')]: provider.issuer,
    [oidc('ClientId')]: testClient.id,
    [oidc('ClientSecret')]: testClient.secret,
    [oidc('AllowedTenants')]: [tenant],
    ...settings,
  });
  running.push(svc);
  const signOn = async (service = svc): Promise<SignOn> => {
    const browser = service.client();
    const begun = await browser.get(challenge);
    const back = new URL(await passThrough(provider, begun.headers.get('location') ?? ''));
    const answer = await browser.get(back.pathname + back.search);
    const isIn = (await browser.get('/svc/api/auth/me')).read<{ isAuthenticated: boolean }>().isAuthenticated;
    return { browser, answer, isIn };
  };
  return {
    svc,
    provider,
    with: async (more) => {
      const replica = await svc.replica(more);
      running.push(replica);
      return replica;
    },
    person: (claims = {}) => {
      const name = `person-${count++}`;
      provider.person = {
        sub: name,
        tid: tenant,
        preferred_username: name,
        name,
        email: `${name}@example.org`,
        ...claims,
      };
      return name;
    },
    signOn,
    close: () => provider.close(),
  };
}

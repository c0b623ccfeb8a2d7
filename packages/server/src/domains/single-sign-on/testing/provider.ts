import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// biome-ignore lint/suspicious/noTsIgnore: the package brings no types.
// @ts-ignore
import { Provider } from 'oidc-provider';

/** Real OpenID provider in which one person is always signed in. */
export type TestProvider = {
  readonly issuer: string;
  /** Claims of the next person who signs in. `sub` identifies the person. */
  person: Record<string, unknown> & { sub: string };
  readonly close: () => Promise<void>;
};

export const testClient = { id: 'svc', secret: 'client-secret-of-the-tests-0123456789' };

const programTokenSeconds = 60;
const openidClaims = ['sub', 'sid', 'tid', 'acct', 'idp', 'groups', 'roles', 'amr', 'acr'];

/** Program that gets access tokens for itself, for any resource. */
export const testProgram = { id: 'robot', secret: 'program-secret-of-the-tests-0123456789' };

/** Starts the provider on its own port. `redirectUris`: permitted redirects of browsers. */
export async function startTestProvider(redirectUris: () => readonly string[]): Promise<TestProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: TestProvider = {
    issuer,
    person: { sub: 'nobody' },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(issuer, configurationOf(state));
  // The service's port is known only once it listens.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => redirectUris().includes(uri);
  const callback = provider.callback();
  handle = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    return void provider.interactionFinished(request, response, {
      login: { accountId: state.person.sub, ...factorsOf(state.person) },
    });
  };
  return state;
}

/** Returns the configuration of the provider: its two clients, and grants without a question. */
const configurationOf = (state: Pick<TestProvider, 'person'>) => ({
  clients: [
    {
      client_id: testClient.id,
      client_secret: testClient.secret,
      redirect_uris: ['http://127.0.0.1/signin-oidc'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
    {
      client_id: testProgram.id,
      client_secret: testProgram.secret,
      redirect_uris: [],
      grant_types: ['client_credentials'],
      response_types: [],
    },
  ],
  claims: { openid: openidClaims, profile: ['name', 'preferred_username'], email: ['email'] },
  cookies: { keys: ['cookie-key-of-the-tests'] },
  pkce: { required: () => true },
  ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context: unknown, resource: string) => ({
        scope: 'Execute',
        audience: resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: programTokenSeconds,
      }),
    },
  },
  interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  findAccount: async (_context: unknown, sub: string) => ({
    accountId: sub,
    claims: async () => ({ ...state.person, sub }),
  }),
  loadExistingGrant: async (context: {
    oidc: {
      provider: {
        Grant: new (grant: object) => { addOIDCScope: (scope: string) => void; save: () => Promise<void> };
      };
      client: { clientId: string };
      session: { accountId: string };
    };
  }) => {
    const { provider: self, client, session } = context.oidc;
    const grant = new self.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});

const factorsOf = ({ amr, acr }: Record<string, unknown>) => ({
  ...(Array.isArray(amr) && { amr }),
  ...(typeof acr === 'string' && { acr }),
});

type Jar = Map<string, string>;

function storeCookies(jar: Jar, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    const [name = '', ...value] = pair.split('=');
    if (value.join('=') === '') jar.delete(name);
    else jar.set(name, value.join('='));
  }
}

/** Follows a browser through the provider's pages until a redirect leaves the provider. Returns the target. */
export async function passThrough(provider: TestProvider, start: string): Promise<string> {
  const jar: Jar = new Map();
  let url = start;
  for (let step = 0; step < 10 && url.startsWith(provider.issuer); step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    storeCookies(jar, response);
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
  }
  return url;
}

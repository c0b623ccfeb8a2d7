import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  passThrough,
  startTestProvider,
  type TestProvider,
  testClient,
  testProgram,
} from '../single-sign-on/testing.ts';
import { type McpAnswer, type McpFixture, startMcpFixture } from './testing/fixture.ts';

/** Resource for which clients request tokens: the public address of the service. */
const resource = 'https://data.example.org/svc/mcp';
const redirectUri = 'http://127.0.0.1:9/back';
const jwt = 'Svc:Authentication:Jwt';
let provider: TestProvider;
let fixture: McpFixture;

beforeAll(async () => {
  provider = await startTestProvider(() => [redirectUri]);
  fixture = await startMcpFixture({
    config: {
      'Svc:PublicBaseUrl': 'https://data.example.org',
      'Svc:Mcp:AllowedHosts': ['127.0.0.1'],
      [`${jwt}:EnableBearerAuthentication`]: true,
      [`${jwt}:Validation:JwksEndpoint`]: `${provider.issuer}/jwks`,
      [`${jwt}:Validation:ValidIssuer`]: provider.issuer,
      [`${jwt}:Validation:ValidAudience`]: resource,
      [`${jwt}:Validation:ClockSkewSeconds`]: 0,
      // The first project of the fixture.
      'Svc:Mcp:Callers': { Systems: [{ Name: 'robot', ClientId: testProgram.id, ProjectIds: [1] }] },
    },
  });
});
afterAll(async () => {
  await fixture.close();
  await provider.close();
});

const call = (sql = 'select 1 as one') => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'query', arguments: { sql } },
});
const basic = ({ id, secret }: { id: string; secret: string }) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const challengeOf = ({ headers }: McpAnswer) => headers.get('www-authenticate') ?? '';

/** Returns the parameters of a Bearer challenge. */
function parametersOf(answer: McpAnswer): Record<string, string> {
  const [, parameters = ''] = /^Bearer (.*)$/.exec(challengeOf(answer)) ?? [];
  return Object.fromEntries(
    [...parameters.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: documents of every shape.
async function readJson(url: string, init?: RequestInit): Promise<any> {
  const response = await fetch(url, init);
  const body = await response.json();
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${JSON.stringify(body)}`);
  return body;
}

const askForToken = (
  endpoint: string,
  client: { id: string; secret: string },
  form: Record<string, string>,
) =>
  readJson(endpoint, {
    method: 'POST',
    headers: { authorization: basic(client), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
const programToken = async (requestedResource: string): Promise<string> => {
  const form = { grant_type: 'client_credentials', resource: requestedResource, scope: 'Execute' };
  return (await askForToken(`${provider.issuer}/token`, testProgram, form)).access_token;
};

/** Returns the tokens that a person's sign-in gives to the browser and the client, including an ID token. */
async function personTokens(): Promise<{ id_token: string; access_token: string }> {
  provider.person = { sub: 'ada', name: 'Ada' };
  const verifier = randomBytes(32).toString('base64url');
  const start = new URL(`${provider.issuer}/auth`);
  start.search = new URLSearchParams({
    client_id: testClient.id,
    response_type: 'code',
    scope: 'openid profile',
    redirect_uri: redirectUri,
    state: 'x',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const back = new URL(await passThrough(provider, start.href));
  return askForToken(`${provider.issuer}/token`, testClient, {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
}

test('a client without a token obtains a valid token from the information in the challenge alone', async () => {
  const refused = await fixture.post(undefined, call());
  expect(refused.status).toBe(401);
  const challenge = parametersOf(refused);
  expect(challenge).not.toHaveProperty('error');
  expect(challenge['scope']).toBe('Execute');

  // The challenge contains the document's public URL; only its path is valid here.
  const documentPath = new URL(challenge['resource_metadata'] ?? '').pathname;
  const metadata = await readJson(fixture.svc.origin + documentPath);
  expect(metadata).toMatchObject({ resource, authorization_servers: [provider.issuer] });
  expect(new URL(challenge['resource_metadata'] ?? '').origin).toBe(new URL(resource).origin);

  const server = await readJson(`${metadata.authorization_servers[0]}/.well-known/openid-configuration`);
  expect(server.issuer).toBe(metadata.authorization_servers[0]);
  const { access_token: token } = await askForToken(server.token_endpoint, testProgram, {
    grant_type: 'client_credentials',
    resource: metadata.resource,
    scope: metadata.scopes_supported.join(' '),
  });
  const answer = await fixture.post(`Bearer ${token}`, call());
  expect(answer).toMatchObject({
    status: 200,
    body: { result: { structuredContent: { rows: [[1]] } } },
  });
  const [audited] = (await fixture.audited()).slice(-1);
  expect(audited).toMatchObject({ actor_kind: 'mcp_caller', callerName: 'robot', tool: 'query' });
});

describe('401 with invalid_token, for a genuine token of the provider with another purpose', () => {
  const refusedAs = async (authorization: string) => {
    const answer = await fixture.post(authorization, call());
    expect(answer.status).toBe(401);
    expect(parametersOf(answer)).toMatchObject({
      error: 'invalid_token',
      error_description: expect.stringMatching(/\S/),
      scope: 'Execute',
      resource_metadata: 'https://data.example.org/.well-known/oauth-protected-resource/svc/mcp',
    });
    expect(answer.body).toMatchObject({ status: 401, title: 'Unauthorized' });
  };

  test('refuses a token for another resource of the same provider', async () => {
    await refusedAs(`Bearer ${await programToken('https://elsewhere.example.org/svc/mcp')}`);
  });

  test('refuses an ID token', async () => {
    await refusedAs(`Bearer ${(await personTokens()).id_token}`);
  });

  test('refuses an opaque access token of a user', async () => {
    await refusedAs(`Bearer ${(await personTokens()).access_token}`);
  });

  test('refuses a token with a modified expiry time', async () => {
    const token = await programToken(resource);
    const [head, payload = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const moved = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 3_600 })).toString('base64url');
    await refusedAs(`Bearer ${head}.${moved}.${signature}`);
  });

  test('a token in the address instead of the header is ignored', async () => {
    const token = await programToken(resource);
    const response = await fetch(`${fixture.svc.origin}/svc/mcp?access_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call()),
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).not.toContain('error=');
  });
});

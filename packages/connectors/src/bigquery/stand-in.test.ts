import { request } from 'node:https';
import { connect } from 'node:tls';
import { assertAnswer } from '@svc/testkit/database/bigquery/api.ts';
import { startBigQuery, type TestBigQuery } from '@svc/testkit/database/bigquery/server.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { importPKCS8, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestBigQuery;
beforeAll(async () => {
  server = await startBigQuery(await createTestAuthority());
});
afterAll(() => server.stop());

type Answer = { readonly status: number | undefined; readonly body: Record<string, unknown> };

/** Sends a request without the connector. */
async function send(
  host: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<Answer> {
  const socket = await server.dial({ host, port: 443 }, { signal: new AbortController().signal });
  const secure = connect({ socket, servername: host, ca: server.connection.caCertificate });
  return new Promise((resolve, reject) => {
    const sent = request(
      { host, path, method: 'POST', headers: { host, ...headers }, createConnection: () => secure },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
          }),
        );
      },
    );
    sent.on('error', reject).end(body);
  });
}

const root = 'https://www.googleapis.com/auth/';
async function signIn(claims: { scope?: string; audience?: string; lifetimeSeconds?: number } = {}) {
  const { scope = `${root}bigquery`, audience = 'https://oauth2.googleapis.com/token' } = claims;
  const file = JSON.parse(server.connection.keyFile) as { private_key: string; client_email: string };
  const now = Math.floor(Date.now() / 1_000);
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(file.client_email)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + (claims.lifetimeSeconds ?? 3_600))
    .sign(await importPKCS8(file.private_key, 'RS256'));
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
  });
  return send('oauth2.googleapis.com', '/token', {}, form.toString());
}

async function call(path: string, body: object, scope = 'bigquery'): Promise<unknown[]> {
  const { body: response } = await signIn({ scope: `${root}${scope}` });
  const headers = {
    authorization: `Bearer ${String(response['access_token'])}`,
    'content-type': 'application/json',
  };
  const text = JSON.stringify(body);
  const answer = await send('bigquery.googleapis.com', `/bigquery/v2/projects/${path}`, headers, text);
  const error = answer.body['error'] as { errors: { reason: string }[] } | undefined;
  return [answer.status, error?.errors[0]?.reason];
}

test('a key signs in for known scopes, with the correct audience, for an hour at most', async () => {
  expect(await signIn()).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
  for (const claims of [
    { audience: 'https://evil.test/token' },
    { scope: `${root}drive` },
    { lifetimeSeconds: 7_200 },
  ])
    expect(await signIn(claims)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

const query = { query: 'select 1', useLegacySql: false };
const dryRun = { configuration: { dryRun: true, query } };

test('the simulated service compares scope, address and members of a request with the API description', async () => {
  expect(await call('svc-tests/jobs', dryRun)).toEqual([200, undefined]);
  expect(server.faults).toEqual([]);
  expect(await call('svc-tests/jobs', dryRun, 'cloud-platform.read-only')).toEqual([403, 'accessDenied']);
  expect(await call('svc-tests/queries', query, 'cloud-platform.read-only')).toEqual([200, undefined]);
  expect(await call('another/jobs', dryRun)).toEqual([404, 'notFound']);
  expect(await call('svc-tests/jobs?x=1', dryRun)).toEqual([400, 'invalid']);
  expect(await call('svc-tests/jobs', { ...dryRun, more: 1 })).toEqual([400, 'invalid']);
  expect(await call('svc-tests/queries', { ...query, timeoutMs: '400' })).toEqual([400, 'invalid']);
  expect(await call('svc-tests/jobs', { configuration: { dryRun: false, query } })).toEqual([400, 'invalid']);
});

test('the simulated service compares its own responses with the API description, too', () => {
  const page = { kind: 'bigquery#queryResponse', jobReference: { projectId: 'p' }, jobComplete: false };
  expect(() => assertAnswer('jobs.query', 200, page)).not.toThrow();
  for (const change of [{ jobComplete: 'no' }, { more: 1 }, { totalRows: 1 }, { rows: [[1]] }])
    expect(() => assertAnswer('jobs.query', 200, { ...page, ...change })).toThrow('not as it is described');
  expect(() => assertAnswer('jobs.query', 400, { error: 'x' })).toThrow('not as it is described');
});

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { type CryptoKey, importSPKI, jwtVerify } from 'jose';
import type { Dial } from '../../../../connectors/src/port.ts';
import { assertAnswer, faultOf, knownScopes, type MethodName, methodOf, methods } from './api.ts';
import { createService, type Service } from './service.ts';
import type { ApiRequest } from './service-call.ts';
import { ServiceError } from './service-error.ts';

/** Server of one test file that implements the protocols of BigQuery and of Google's token host. */
export type TestBigQuery = {
  /** Settings of a connection to the dataset `shop`. */
  readonly connection: {
    readonly project: string;
    readonly location: string;
    readonly dataset: string;
    readonly keyFile: string;
    readonly caCertificate: string;
  };
  /** Connects the two hosts to this server and refuses all other addresses. */
  readonly dial: Dial;
  /** Calls that passed authentication and validation, in order. */
  readonly asked: ApiRequest[];
  /** Scopes of the issued tokens, in order. */
  readonly tokensMade: string[];
  readonly service: Service;
  /** Revokes the key and all tokens. */
  readonly revoke: () => void;
  readonly openSockets: () => number;
  /** Errors of the test's server, such as responses that violate the description. A test expects none. */
  readonly faults: readonly string[];
  readonly stop: () => Promise<void>;
};

const project = 'svc-tests';
const email = 'reader@svc-tests.iam.gserviceaccount.com';
const keyId = '0123456789abcdef';
const hosts = ['bigquery.googleapis.com', 'oauth2.googleapis.com'];
const tokenAddress = 'https://oauth2.googleapis.com/token';

/** Authority that issues the server's certificates, such as `createTestAuthority`. */
type Authority = {
  readonly certificate: string;
  readonly issue: (...hosts: string[]) => Promise<{ readonly cert: string; readonly key: string }>;
};

export async function startBigQuery(authority: Authority): Promise<TestBigQuery> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const service = createService(project);
  const tokens = createTokenHost(await importSPKI(publicKey, 'RS256'));
  const faults: string[] = [];
  let open = 0;
  const server = createServer(await authority.issue(...hosts), (request, response) => {
    void answer({ request, response, service, tokens }).catch((error: unknown) => {
      // An error of the test's server must not look like an error of BigQuery.
      faults.push(String(error));
      response.destroy();
    });
  });
  server.on('connection', (socket) => {
    open++;
    socket.on('error', () => undefined).once('close', () => open--);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    connection: {
      project,
      location: 'EU',
      dataset: 'shop',
      caCertificate: authority.certificate,
      keyFile: keyFileOf(privateKey),
    },
    dial: async (target, { signal }) => {
      if (!hosts.includes(target.host) || target.port !== 443)
        throw new Error(`${target.host}:${target.port} is not reached by this test.`);
      const socket = connect({ host: '127.0.0.1', port, signal });
      await once(socket, 'connect');
      return socket;
    },
    asked: service.asked,
    tokensMade: tokens.made,
    service,
    revoke: tokens.revoke,
    openSockets: () => open,
    faults,
    stop: async () => {
      service.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns a key file. Its URLs name a foreign host: the connector must ignore them. */
const keyFileOf = (privateKey: string): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: project,
    private_key_id: keyId,
    private_key: privateKey,
    client_email: email,
    client_id: '1',
    auth_uri: 'https://evil.test/auth',
    token_uri: 'https://evil.test/token',
    universe_domain: 'googleapis.com',
  });

type TokenHost = {
  readonly made: string[];
  readonly exchange: (body: string) => Promise<{ readonly status: number; readonly body: object }>;
  readonly scopeOf: (token: string) => string | undefined;
  readonly revoke: () => void;
};

function createTokenHost(key: CryptoKey): TokenHost {
  const scopes = new Map<string, string>();
  const made: string[] = [];
  let isRevoked = false;
  const refused = (description: string) => ({
    status: 400,
    body: { error: 'invalid_grant', error_description: description },
  });
  return {
    made,
    scopeOf: (token) => (isRevoked ? undefined : scopes.get(token)),
    revoke: () => {
      isRevoked = true;
    },
    exchange: async (body) => {
      const form = new URLSearchParams(body);
      if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer' || form.size !== 2)
        return {
          status: 400,
          body: { error: 'unsupported_grant_type', error_description: 'Invalid grant.' },
        };
      if (isRevoked) return refused('Invalid JWT Signature.');
      try {
        const { payload } = await jwtVerify(form.get('assertion') ?? '', key, {
          issuer: email,
          audience: tokenAddress,
          algorithms: ['RS256'],
          typ: 'JWT',
          maxTokenAge: 60,
          requiredClaims: ['scope', 'exp'],
        });
        const { scope, exp = 0, iat = 0 } = payload as { scope?: unknown; exp?: number; iat?: number };
        if (typeof scope !== 'string' || !knownScopes.has(scope) || exp - iat > 3_600)
          return refused('Invalid scope or lifetime.');
        const token = `ya29.${randomUUID()}`;
        scopes.set(token, scope);
        made.push(scope);
        return { status: 200, body: { access_token: token, expires_in: 3_599, token_type: 'Bearer' } };
      } catch {
        return refused('Invalid JWT Signature.');
      }
    },
  };
}

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly service: Service;
  readonly tokens: TokenHost;
};

async function answer({ request, response, service, tokens }: Exchange): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const send = (status: number, body: unknown): void => {
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
    response.end(bytes);
  };
  const url = new URL(request.url ?? '/', `https://${request.headers.host}`);
  if (url.host === hosts[1] && url.pathname === '/token' && request.method === 'POST') {
    const given = await tokens.exchange(text);
    return send(given.status, given.body);
  }
  let name: MethodName | undefined;
  try {
    const call = readCall(request, url, text, tokens);
    name = call.method;
    const body = await service.call(call);
    if (response.destroyed) return;
    assertAnswer(name, 200, body);
    send(200, body);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (name !== undefined) assertAnswer(name, error.code, error.body);
    send(error.code, error.body);
  }
}

/** Reads a request and refuses unknown members, as the service does. */
function readCall(request: IncomingMessage, url: URL, text: string, tokens: TokenHost) {
  const base = `/bigquery/v2/projects/${project}`;
  const path = url.pathname.slice(base.length);
  const method = methodOf(request.method, path);
  if (url.host !== hosts[0] || !url.pathname.startsWith(`${base}/`) || !method)
    throw new ServiceError(404, 'notFound', `Not found: ${request.method} ${url.host}${url.pathname}`);
  const described = methods[method];
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const scope = tokens.scopeOf(token);
  if (scope === undefined)
    throw new ServiceError(401, 'authError', 'Request had invalid authentication credentials.');
  if (!(described.scopes as readonly string[]).includes(scope))
    throw new ServiceError(403, 'accessDenied', 'Request had insufficient authentication scopes.');
  const query = Object.fromEntries(url.searchParams);
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const isJson = text === '' || request.headers['content-type'] === 'application/json';
  const fault =
    faultOf(described.query, query) ?? ('body' in described ? faultOf(described.body, body) : undefined);
  if (fault !== undefined || !isJson)
    throw new ServiceError(400, 'invalid', `Invalid JSON payload received. ${fault ?? 'Not JSON.'}`);
  const names = described.path.exec(path)?.slice(1) ?? [];
  return { method, scope, query, body, names };
}

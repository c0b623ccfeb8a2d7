import { createHash } from 'node:crypto';
import { ConnectorError } from '../error.ts';
import { openHttpClient } from '../http/client.ts';
import { property } from '../http/json/json-property.ts';
import { readJson } from '../http/json/small-json.ts';
import type { Dial } from '../port.ts';
import { refusedBy } from './answer/answer.ts';
import { cleanWords, connectionError, unreadableAnswer } from './errors.ts';
import { type DatabricksConnection, targetOf } from './settings.ts';

type Call = { readonly dial: Dial; readonly signal: AbortSignal };

/** Tokens of logins. Tokens of service principals are cached until shortly before they expire. */
export type Tokens = {
  readonly get: (connection: DatabricksConnection, call: Call) => Promise<string>;
  /** Removes a token that the service refuses. */
  readonly forget: (token: string) => void;
};

const lifetimeSecondsMax = 3_600;
/** A token is not used in this period before its expiry. */
const marginMs = 300_000;
const tokensMax = 200;

type CachedToken = { readonly token: string; readonly endsAtMs: number };

export function createTokens(now: () => number = () => performance.now()): Tokens {
  const cache = new Map<string, CachedToken>();
  return {
    get: async (connection, call) => {
      if (connection.signIn === 'AccessToken') return connection.accessToken;
      const name = nameOf(connection);
      const cached = cache.get(name);
      if (cached && cached.endsAtMs - marginMs > now()) return cached.token;
      cache.delete(name);
      const { token, lifetimeMs } = await askToken(connection, call);
      for (const oldest of cache.keys()) {
        if (cache.size < tokensMax) break;
        cache.delete(oldest);
      }
      cache.set(name, { token, endsAtMs: now() + lifetimeMs });
      return token;
    },
    forget: (token) => {
      for (const [name, each] of cache) if (each.token === token) cache.delete(name);
    },
  };
}

/** Cache key of a token. A token is valid for its workspace and its client secret. */
const nameOf = ({ host, port, clientId, clientSecret, caCertificate }: DatabricksConnection): string =>
  createHash('sha256')
    .update(JSON.stringify([host, port, clientId, clientSecret, caCertificate]))
    .digest('hex');

/** Returns client and secret in the form of a Basic header (RFC 7617). */
const basicOf = ({ clientId, clientSecret }: DatabricksConnection): string =>
  Buffer.from(`${clientId}:${clientSecret}`).toString('base64');

/** Returns texts that no message may repeat, in addition to the sent tokens. */
export const secretsOf = (connection: DatabricksConnection): string[] =>
  [connection.clientSecret, connection.accessToken, basicOf(connection)].filter((secret) => secret !== '');

/** Requests a token by the client credentials grant (RFC 6749, 4.4). The secret is sent only to the workspace's own host. */
async function askToken(
  connection: DatabricksConnection,
  call: Call,
): Promise<{ readonly token: string; readonly lifetimeMs: number }> {
  const client = await openHttpClient(targetOf(connection), call);
  try {
    const answer = await client.post({
      path: '/oidc/v1/token',
      headers: {
        authorization: `Basic ${basicOf(connection)}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        'user-agent': 'Svc/1.0',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'all-apis' }).toString(),
    });
    if (answer.status === 200) return readToken(await readJson(answer));
    if (!refusingStatuses.has(answer.status))
      throw await refusedBy(answer, { connection, secrets: secretsOf(connection) });
    throw refused(answer.status, await readJson(answer), connection);
  } catch (error) {
    throw connectionError(error, connection);
  } finally {
    await client.close();
  }
}

const refusingStatuses = new Set([400, 401, 403]);

/** Characters of a token (RFC 6750), so that it fits into a header. */
const tokenForm = /^[\w.~+/-]{1,8192}=*$/;

function readToken(body: unknown): { readonly token: string; readonly lifetimeMs: number } {
  const [token, type, lifetime] = ['access_token', 'token_type', 'expires_in'].map((name) =>
    property(body, name),
  );
  const isUsable = typeof token === 'string' && tokenForm.test(token) && typeof type === 'string';
  if (!isUsable || type.toLowerCase() !== 'bearer' || typeof lifetime !== 'number' || !(lifetime > 0))
    throw unreadableAnswer();
  return { token, lifetimeMs: Math.min(lifetime, lifetimeSecondsMax) * 1_000 };
}

/** Reads `{"error": "invalid_client", "error_description": "…"}`. */
function refused(status: number, body: unknown, connection: DatabricksConnection): ConnectorError {
  const description = property(body, 'error_description');
  const reason =
    typeof description === 'string' && description !== ''
      ? `: ${cleanWords(description, secretsOf(connection))}`
      : '.';
  return new ConnectorError('authentication-failed', `Databricks refuses the service principal${reason}`, {
    engineCode: `HTTP ${status}`,
  });
}

import { createHash } from 'node:crypto';
import { ConnectorError } from '../error.ts';
import { openHttpClient } from '../http/client.ts';
import { property } from '../http/json/json-property.ts';
import type { Dial } from '../port.ts';
import { readBytes, readJson } from './answer/json-answer.ts';
import { connectionError, unreadableAnswer, withoutSecrets } from './errors.ts';
import { readKeyFile, type ServiceAccountKey } from './key-file.ts';
import { type BigQueryConnection, targetOf, tokenHost } from './settings.ts';

/** Scope of a token: `read` runs statements and changes nothing, `jobs` creates dry runs and cancels jobs. */
export type Access = 'read' | 'jobs';

const scopes: Readonly<Record<Access, string>> = {
  read: 'https://www.googleapis.com/auth/cloud-platform.read-only',
  jobs: 'https://www.googleapis.com/auth/bigquery',
};

type Call = { readonly dial: Dial; readonly signal: AbortSignal };

/** Cache of access tokens of service accounts. A token is cached until shortly before it expires. */
export type Tokens = {
  readonly get: (connection: BigQueryConnection, access: Access, call: Call) => Promise<string>;
  /** Removes a token that the service refuses. */
  readonly forget: (token: string) => void;
};

const lifetimeSecondsMax = 3_600;
/** A token is not used in this period before its expiry. */
const marginMs = 300_000;
const tokensMax = 200;

type CachedToken = { readonly token: string; readonly endsAtMs: number };

export function createTokens(): Tokens {
  const cache = new Map<string, CachedToken>();
  return {
    get: async (connection, access, call) => {
      const name = createHash('sha256')
        .update(JSON.stringify([connection.keyFile, access]))
        .digest('hex');
      const cached = cache.get(name);
      if (cached && cached.endsAtMs - marginMs > Date.now()) return cached.token;
      cache.delete(name);
      const fresh = await askToken(connection, access, call);
      for (const oldest of cache.keys()) {
        if (cache.size < tokensMax) break;
        cache.delete(oldest);
      }
      cache.set(name, fresh);
      return fresh.token;
    },
    forget: (token) => {
      for (const [name, each] of cache) if (each.token === token) cache.delete(name);
    },
  };
}

/**
 * Requests a token by the JWT bearer grant (RFC 7523). The assertion's audience is Google's token host, its only
 * recipient.
 */
async function askToken(connection: BigQueryConnection, access: Access, call: Call): Promise<CachedToken> {
  const key = readKeyFile(connection.keyFile);
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const assertion = await sign(key, scopes[access], nowSeconds);
  const target = targetOf(connection, tokenHost);
  const client = await openHttpClient(target, call);
  try {
    const answer = await client.post({
      path: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
      }).toString(),
    });
    const body = readJson(await readBytes(answer, answerBytesMax));
    if (answer.status !== 200) throw refused(answer.status, body, [assertion, key.privateKey]);
    return readToken(body, nowSeconds);
  } catch (error) {
    throw connectionError(error, target);
  } finally {
    await client.close();
  }
}

const answerBytesMax = 65_536;

async function sign(key: ServiceAccountKey, scope: string, nowSeconds: number): Promise<string> {
  const { importPKCS8, SignJWT } = await import('jose');
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.keyId })
    .setIssuer(key.clientEmail)
    .setAudience(`https://${tokenHost}/token`)
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + lifetimeSecondsMax)
    .sign(await importPKCS8(key.privateKey, 'RS256'));
}

/** Characters of a token (RFC 6750), so that it fits into a header. */
const tokenForm = /^[\w.~+/-]{1,4096}=*$/;

function readToken(body: unknown, nowSeconds: number): CachedToken {
  const [token, type, lifetime] = ['access_token', 'token_type', 'expires_in'].map((name) =>
    property(body, name),
  );
  const isUsable = typeof token === 'string' && tokenForm.test(token) && typeof type === 'string';
  if (!isUsable || type.toLowerCase() !== 'bearer' || typeof lifetime !== 'number' || !(lifetime > 0))
    throw unreadableAnswer();
  return { token, endsAtMs: (nowSeconds + Math.min(lifetime, lifetimeSecondsMax)) * 1_000 };
}

/** Reads `{"error": "invalid_grant", "error_description": "…"}`. */
function refused(status: number, body: unknown, secrets: readonly string[]): ConnectorError {
  const engineCode = `HTTP ${status}`;
  if (status !== 400 && status !== 401 && status !== 403)
    return new ConnectorError('connection-failed', `${tokenHost} answers with status ${status}.`, {
      engineCode,
    });
  const description = property(body, 'error_description');
  const reason =
    typeof description === 'string' && description !== '' ? `: ${withoutSecrets(description, secrets)}` : '.';
  return new ConnectorError('authentication-failed', `Google refuses the key file${reason}`, { engineCode });
}

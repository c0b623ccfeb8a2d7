import { ConnectorError } from '../error.ts';
import { openHttpClient } from '../http/client.ts';
import { property } from '../http/json-property.ts';
import type { Dial } from '../port.ts';
import { bigqueryError, connectionError, refusedBy } from './errors.ts';
import { readBytes, readJson } from './json-answer.ts';
import { readKeyFile } from './key-file.ts';
import { type BigQueryConnection, targetOf } from './settings.ts';
import type { Access, Tokens } from './tokens.ts';

/** Which project is asked, as whom. */
export type Account = { readonly connection: BigQueryConnection; readonly tokens: Tokens };

export type ApiRequest = {
  readonly access: Access;
  /** Below the project, e.g. `queries`, with its query string. */
  readonly path: string;
  /** Absent: a GET. */
  readonly body?: object;
  /** The statement that errors point into. */
  readonly sql?: string;
  readonly bytesMax?: number;
  /** What is said of an answer with more. */
  readonly tooMany?: string;
};

export type ApiAnswer = { readonly json: unknown; readonly byteCount: number };

/** One connection to the service, used for one request after the other. */
export type Api = {
  /** Rejects with a `ConnectorError` where the service does not answer as was asked. */
  readonly ask: (request: ApiRequest) => Promise<ApiAnswer>;
  /** The key and the tokens that were sent: what no message may repeat. */
  readonly secrets: () => readonly string[];
  /** Ends the connection at once. Never rejects. */
  readonly close: () => Promise<void>;
};

const answerBytesMax = 4 * 1_024 * 1_024;

/** Everything ends with `signal`. */
export async function openApi(
  { connection, tokens }: Account,
  call: { readonly dial: Dial; readonly signal: AbortSignal },
): Promise<Api> {
  const target = targetOf(connection);
  const client = await openHttpClient(target, call);
  const base = `/bigquery/v2/projects/${encodeURIComponent(connection.project)}`;

  const sent = new Set<string>();
  const secrets = (): string[] => [...sent, readKeyFile(connection.keyFile).privateKey];

  async function send(request: ApiRequest): Promise<ApiAnswer> {
    const { access, body, sql = '' } = request;
    const token = await tokens.get(connection, access, call);
    sent.add(token);
    const path = `${base}/${request.path}`;
    // The service compresses for those whose name says so.
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': 'svc (gzip)',
    };
    const answer =
      body === undefined
        ? await client.get({ path, headers })
        : await client.post({
            path,
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
    if (answer.status === 401) tokens.forget(token);
    const bytes = await readBytes(answer, request.bytesMax ?? answerBytesMax, request.tooMany);
    if (answer.status === 200) return { json: readJson(bytes), byteCount: bytes.length };
    const said = bigqueryError(property(errorBody(bytes), 'error'), sql, secrets());
    throw said && !isRedirect(answer.status) ? said : refusedBy(answer.status, target);
  }

  return {
    ask: async (request) => {
      try {
        return await send(request);
      } catch (error) {
        throw connectionError(error, target);
      }
    },
    secrets,
    close: client.close,
  };
}

/** Nobody follows it, and nothing that it says counts. */
const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** The status says that it failed: a body that cannot be read has no words. */
function errorBody(bytes: Buffer): unknown {
  try {
    return readJson(bytes);
  } catch (error) {
    if (error instanceof ConnectorError) return undefined;
    throw error;
  }
}

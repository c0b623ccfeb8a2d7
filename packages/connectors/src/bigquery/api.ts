import { type HttpAnswer, openHttpClient } from '../http/client.ts';
import { property } from '../http/json/json-property.ts';
import { readJson as readSmallJson } from '../http/json/small-json.ts';
import type { Dial } from '../port.ts';
import { readBytes, readJson } from './answer/json-answer.ts';
import { type Page, type PageLimits, readPage } from './answer/page.ts';
import { bigqueryError, connectionError, refusedBy } from './errors.ts';
import { readKeyFile } from './key-file.ts';
import { type BigQueryConnection, targetOf } from './settings.ts';
import type { Access, Tokens } from './tokens.ts';

/** Project that receives the requests, and the tokens that authenticate them. */
export type Account = { readonly connection: BigQueryConnection; readonly tokens: Tokens };

export type ApiRequest = {
  readonly access: Access;
  /** Path below the project, e.g. `queries`, with its query string. */
  readonly path: string;
  /** Body of a POST. Absent: a GET. */
  readonly body?: object;
  /** Statement in which error positions are reported. */
  readonly sql?: string;
};

/** One connection to the service. It sends one request after the other. */
export type Api = {
  /** Rejects with a `ConnectorError` for an unexpected answer. */
  readonly ask: (request: ApiRequest) => Promise<unknown>;
  /** Same as `ask`, for an answer with rows. */
  readonly askPage: (request: ApiRequest, limits: PageLimits) => Promise<Page>;
  /** Private key and sent tokens. No message may repeat them. */
  readonly secrets: () => readonly string[];
  /** Ends the connection immediately. Never rejects. */
  readonly close: () => Promise<void>;
};

const answerBytesMax = 4 * 1_024 * 1_024;
const errorBytesMax = 1_024 * 1_024;

/** Connects to the service. `signal` ends all requests. */
export async function openApi(
  { connection, tokens }: Account,
  call: { readonly dial: Dial; readonly signal: AbortSignal },
): Promise<Api> {
  const target = targetOf(connection);
  const client = await openHttpClient(target, call);
  const base = `/bigquery/v2/projects/${encodeURIComponent(connection.project)}`;

  const sent = new Set<string>();
  const secrets = (): string[] => [...sent, readKeyFile(connection.keyFile).privateKey];

  async function send(request: ApiRequest): Promise<HttpAnswer> {
    const { access, body, sql = '' } = request;
    const token = await tokens.get(connection, access, call);
    sent.add(token);
    const path = `${base}/${request.path}`;
    // The service compresses its answers only for clients with `gzip` in their user agent.
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
    if (answer.status === 200) return answer;
    const failure = bigqueryError(
      property(await readSmallJson(answer, errorBytesMax), 'error'),
      sql,
      secrets(),
    );
    throw failure && !isRedirect(answer.status) ? failure : refusedBy(answer.status, target);
  }

  async function explained<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw connectionError(error, target);
    }
  }

  return {
    ask: (request) =>
      explained(send(request).then(async (answer) => readJson(await readBytes(answer, answerBytesMax)))),
    askPage: (request, limits) => explained(send(request).then((answer) => readPage(answer, limits))),
    secrets,
    close: client.close,
  };
}

/** Redirects are not followed, and their bodies are ignored. */
const isRedirect = (status: number): boolean => status >= 300 && status < 400;

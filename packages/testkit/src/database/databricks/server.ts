import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Dial } from '../../../../connectors/src/port.ts';
import { answerFaults, type OperationName, operationOf, requestFaults, type SeenRequest } from './facts.ts';
import { isResult, type TestAnswer, type TestResult } from './results.ts';

/** Parameters of an opened session. */
export type OpenedSession = {
  readonly warehouse_id: string;
  readonly catalog: string;
  readonly schema: string;
  readonly session_confs: Readonly<Record<string, string>>;
};

type Sent = {
  readonly statement: string;
  readonly warehouse_id: string;
  readonly session_id: string;
  readonly row_limit: number;
  readonly byte_limit: number;
  readonly parameters?: readonly {
    readonly name: string;
    readonly type: string;
    readonly value?: string;
  }[];
};

/** Received statement with its user and its session. */
export type Submission = Sent & { readonly user: string; readonly session: OpenedSession };

/** Server of one test file that implements the Statement Execution API of a workspace over TLS. */
export type TestDatabricks = {
  /** Host name that `dial` connects to this server. */
  readonly host: string;
  readonly port: number;
  readonly caCertificate: string;
  readonly dial: Dial;
  /** Statements in the order of arrival. */
  readonly submissions: readonly Submission[];
  /** Requests as `METHOD /path?query`. */
  readonly asked: readonly string[];
  /** Ids of cancelled statements. */
  readonly cancelled: ReadonlySet<string>;
  /** Ids of open sessions. */
  readonly openSessions: ReadonlySet<string>;
  /** Violations of the vendor's API description, and errors of this server. A test expects none. */
  readonly faults: readonly string[];
  /** Answers the next requests with these statuses. Requests that close a session are exempt. */
  readonly failNext: (...statuses: readonly number[]) => void;
  /** Withholds the response to submissions of a statement until the returned function is called. */
  readonly withhold: (statement: string) => () => void;
  /** Revokes all issued tokens, but no personal access tokens. */
  readonly revokeTokens: () => void;
  readonly stop: () => Promise<void>;
};

/** Authority that issues the server's certificate. */
export type Authority = {
  readonly certificate: string;
  readonly issue: (host: string) => Promise<{ readonly cert: string; readonly key: string }>;
};

export type DatabricksOptions = {
  readonly authority: Authority;
  readonly answer: (submission: Submission) => TestAnswer;
  /** Secrets of service principals, by their client id. */
  readonly clients?: Readonly<Record<string, string>>;
  /** User names by personal access token. */
  readonly accessTokens?: Readonly<Record<string, string>>;
  /** Number of status responses that report a running statement before its result. Default 0. */
  readonly pendingPolls?: number;
  readonly tokenLifetimeSeconds?: number;
};

export const databricksHost = 'dbc-shop.databricks.test';
/** Id of the only SQL warehouse. */
export const warehouseId = 'abcdef0123456789';

type Running = { readonly answer: TestAnswer; readonly sent: Sent; polls: number; isCancelled: boolean };
type Reply = { readonly status: number; readonly body: unknown };

const refusal = (status: number, code: string, message: string): Reply => ({
  status,
  body: { error_code: code, message },
});

export async function startDatabricksServer(options: DatabricksOptions): Promise<TestDatabricks> {
  const { authority } = options;
  const statements = new Map<string, Running>();
  const sessions = new Map<string, OpenedSession>();
  const openSessions = new Set<string>();
  const users = new Map(Object.entries(options.accessTokens ?? {}));
  const submissions: Submission[] = [];
  const asked: string[] = [];
  const faults: string[] = [];
  const cancelled = new Set<string>();
  let failing: number[] = [];
  const withheld = new Map<string, Promise<void>>();

  function send(request: IncomingMessage, response: ServerResponse, name: OperationName, reply: Reply) {
    faults.push(...answerFaults(name, reply.status, reply.body));
    const body = Buffer.from(JSON.stringify(reply.body));
    const isPacked = String(request.headers['accept-encoding']).includes('gzip');
    response.writeHead(reply.status, {
      'content-type': 'application/json',
      ...(isPacked && { 'content-encoding': 'gzip' }),
    });
    response.end(isPacked ? gzipSync(body) : body);
  }

  function giveToken({ headers }: SeenRequest): Reply {
    const client = Buffer.from(String(headers['authorization']).replace(/^Basic /, ''), 'base64').toString();
    const [id = '', ...secret] = client.split(':');
    if (options.clients?.[id] !== secret.join(':'))
      return {
        status: 401,
        body: { error: 'invalid_client', error_description: 'Client authentication failed' },
      };
    const access_token = `eyJ.${randomUUID()}`;
    users.set(access_token, id);
    const expires_in = options.tokenLifetimeSeconds ?? 3_600;
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in, scope: 'all-apis' } };
  }

  function open(body: string): Reply {
    const session = JSON.parse(body) as OpenedSession;
    if (session.warehouse_id !== warehouseId)
      return refusal(404, 'NOT_FOUND', `SQL warehouse ${session.warehouse_id} does not exist.`);
    const id = randomUUID();
    sessions.set(id, session);
    openSessions.add(id);
    return { status: 200, body: { session_id: id, session_version: { version_id: 1 } } };
  }

  async function submit(body: string, user: string): Promise<Reply> {
    const sent = JSON.parse(body) as Sent;
    const session = sessions.get(sent.session_id);
    if (!session || !openSessions.has(sent.session_id))
      return refusal(400, 'INVALID_PARAMETER_VALUE', 'The session does not exist.');
    const submission = { ...sent, user, session };
    submissions.push(submission);
    await withheld.get(submission.statement);
    const id = randomUUID();
    const answer = options.answer(submission);
    statements.set(id, { answer, sent, polls: options.pendingPolls ?? 0, isCancelled: false });
    return { status: 200, body: { statement_id: id, status: { state: 'PENDING' } } };
  }

  async function replyTo(name: OperationName, seen: SeenRequest): Promise<Reply> {
    if (name === 'token') return giveToken(seen);
    const user = users.get(String(seen.headers['authorization']).replace(/^Bearer /, ''));
    if (user === undefined) return refusal(403, '403', 'Invalid access token.');
    if (name === 'open') return open(seen.body);
    if (name === 'submit') return submit(seen.body, user);
    const [, id = '', chunk] =
      /\/(?:sessions|statements)\/([^/]+)(?:.*\/(\d+)$)?/.exec(seen.url.pathname) ?? [];
    if (name === 'close')
      return openSessions.delete(id)
        ? { status: 200, body: {} }
        : refusal(404, 'NOT_FOUND', 'No such session.');
    const statement = statements.get(id);
    if (!statement) return refusal(404, 'NOT_FOUND', `The statement ${id} was not found.`);
    if (name === 'cancel') {
      statement.isCancelled = true;
      cancelled.add(id);
      return { status: 200, body: {} };
    }
    return name === 'chunk' ? chunkOf(id, statement, Number(chunk)) : stateOf(id, statement);
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', `https://${databricksHost}`);
    const seen: SeenRequest = {
      method: request.method ?? '',
      url,
      headers: request.headers,
      body: await text(request),
    };
    asked.push(`${seen.method} ${request.url}`);
    faults.push(...requestFaults(seen));
    const name = operationOf(seen);
    if (!name) return void response.writeHead(404).end();
    const failure = name === 'close' ? undefined : failing.shift();
    send(
      request,
      response,
      name,
      failure === undefined ? await replyTo(name, seen) : { status: failure, body: {} },
    );
  };

  const { cert, key } = await authority.issue(databricksHost);
  const server = createServer({ cert, key }, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      faults.push(`The server failed: ${String(error)}`);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: databricksHost,
    port,
    caCertificate: authority.certificate,
    submissions,
    asked,
    cancelled,
    openSessions,
    faults,
    dial: async (target, { signal }) => {
      const isOurs = target.host === databricksHost;
      const socket = connect({ ...(isOurs ? { host: '127.0.0.1', port } : target), signal });
      await once(socket, 'connect');
      return socket;
    },
    failNext: (...statuses) => {
      failing = [...statuses];
    },
    withhold: (statement) => {
      const gate = Promise.withResolvers<void>();
      withheld.set(statement, gate.promise);
      return () => {
        withheld.delete(statement);
        gate.resolve();
      };
    },
    revokeTokens: () => {
      for (const token of users.keys()) if (token.startsWith('eyJ.')) users.delete(token);
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function stateOf(statement_id: string, statement: Running): Reply {
  const { answer } = statement;
  const said = (status: object, others: object = {}): Reply => ({
    status: 200,
    body: { statement_id, status, ...others },
  });
  if (statement.isCancelled) return said({ state: 'CANCELED' });
  if (answer === 'endless' || statement.polls > 0) {
    statement.polls--;
    return said({ state: 'RUNNING' });
  }
  if (!isResult(answer)) {
    const { message, sqlState } = answer;
    const state = { state: 'FAILED', error: { error_code: 'BAD_REQUEST', message } };
    return said({ ...state, ...(sqlState !== undefined && { sql_state: sqlState }) });
  }
  const cut = cutBy(answer, statement.sent);
  return said(
    { state: 'SUCCEEDED' },
    { manifest: manifestOf(answer, cut), result: dataOf(statement_id, cut, 0) },
  );
}

type Cut = { readonly chunks: readonly TestResult['rows'][]; readonly isTruncated: boolean };

/** Applies the limits of a request and splits the remaining rows into chunks. */
function cutBy({ rows, chunkRows = [rows.length] }: TestResult, { row_limit, byte_limit }: Sent): Cut {
  const kept: (typeof rows)[number][] = [];
  let bytes = 0;
  for (const row of rows.slice(0, row_limit)) {
    bytes += JSON.stringify(row).length;
    if (bytes > byte_limit) break;
    kept.push(row);
  }
  const chunks = chunkRows.map((count, at) => {
    const from = chunkRows.slice(0, at).reduce((sum, rowsBefore) => sum + rowsBefore, 0);
    return kept.slice(from, from + count);
  });
  return {
    chunks: chunks.filter((chunk) => chunk.length > 0),
    isTruncated: kept.length < rows.length,
  };
}

const namesOfTypes: readonly (readonly [name: string, types: RegExp])[] = [
  ['LONG', /^BIGINT/],
  ['INT', /^INT$/],
  ['BYTE', /^TINYINT/],
  ['SHORT', /^SMALLINT/],
  ['DECIMAL', /^DECIMAL/],
  ['TIMESTAMP', /^TIMESTAMP/],
  ['INTERVAL', /^INTERVAL/],
  ['NULL', /^VOID/],
  ['STRING', /^(VARCHAR|VARIANT|GEO)/],
];

function manifestOf({ columns }: TestResult, { chunks, isTruncated }: Cut) {
  let row_offset = 0;
  return {
    format: 'JSON_ARRAY',
    total_chunk_count: chunks.length,
    truncated: isTruncated,
    schema: {
      column_count: columns.length,
      columns: columns.map(({ name, type }, position) => ({
        name,
        type_text: type,
        position,
        type_name: namesOfTypes.find(([, types]) => types.test(type))?.[0] ?? type.replace(/[^A-Z].*$/, ''),
      })),
    },
    chunks: chunks.map((rows, chunk_index) => {
      const chunk = { chunk_index, row_offset, row_count: rows.length };
      row_offset += rows.length;
      return chunk;
    }),
    total_row_count: chunks.reduce((sum, rows) => sum + rows.length, 0),
  };
}

/** Returns the data of a chunk. The link names a foreign host: clients must not follow it. */
function dataOf(id: string, { chunks }: Cut, index: number) {
  const rows = chunks[index];
  if (!rows) return {};
  const isLast = index === chunks.length - 1;
  return {
    chunk_index: index,
    row_count: rows.length,
    row_offset: chunks.slice(0, index).reduce((sum, chunk) => sum + chunk.length, 0),
    data_array: rows,
    ...(!isLast && {
      next_chunk_index: index + 1,
      next_chunk_internal_link: `https://elsewhere.test/api/2.0/sql/statements/${id}/result/chunks/9`,
    }),
  };
}

function chunkOf(id: string, { answer, sent }: Running, index: number): Reply {
  const cut = isResult(answer) ? cutBy(answer, sent) : undefined;
  if (!cut?.chunks[index]) return refusal(404, 'NOT_FOUND', `The chunk ${index} was not found.`);
  return { status: 200, body: dataOf(id, cut, index) };
}

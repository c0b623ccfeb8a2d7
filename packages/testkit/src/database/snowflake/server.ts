import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Dial } from '../../../../connectors/src/port.ts';
import { answerFaults, type OperationName, operationOf, requestFaults, type SeenRequest } from './facts.ts';
import { isResult, type TestAnswer, type TestResult } from './results.ts';

/** Body of a submission. */
export type Submission = {
  readonly statement: string;
  readonly role: string;
  readonly warehouse: string;
  readonly database: string;
  readonly schema: string;
  readonly timeout: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly bindings?: Readonly<Record<string, { readonly type: string; readonly value: string | null }>>;
};

/** Server of one test file that implements Snowflake's SQL API over TLS. */
export type TestSnowflake = {
  /** Host name that `dial` connects to this server. */
  readonly host: string;
  readonly port: number;
  readonly caCertificate: string;
  readonly dial: Dial;
  /** Statements in the order of arrival. */
  readonly submissions: readonly Submission[];
  /** Requests as `METHOD /path?query`. */
  readonly asked: readonly string[];
  /** Handles of cancelled statements. */
  readonly cancelled: ReadonlySet<string>;
  /** Violations of the service's API description, and errors of this server. A test expects none. */
  readonly faults: readonly string[];
  /** Answers the next requests with these statuses, before it checks their tokens. */
  readonly failNext: (...statuses: readonly number[]) => void;
  /** Withholds the response to submissions of a statement until the returned function is called. */
  readonly withhold: (statement: string) => () => void;
  readonly stop: () => Promise<void>;
};

/** Authority that issues the server's certificate. */
export type Authority = {
  readonly certificate: string;
  readonly issue: (host: string) => Promise<{ readonly cert: string; readonly key: string }>;
};

export type SnowflakeOptions = {
  readonly authority: Authority;
  readonly answer: (submission: Submission) => TestAnswer;
  /** Public keys (PEM) by user name, such as `ACCOUNT.USER`. */
  readonly publicKeys?: Readonly<Record<string, string>>;
  readonly accessTokens?: readonly string[];
  /** Number of status responses that report a running statement before its result. Default 0. */
  readonly pendingPolls?: number;
  /** Host name of the certificate. Default: a name that only `dial` resolves. */
  readonly host?: string;
};

export const snowflakeHost = 'org-shop.snowflake.test';

type Running = { readonly answer: TestAnswer; polls: number; isCancelled: boolean };

export async function startSnowflakeServer(options: SnowflakeOptions): Promise<TestSnowflake> {
  const { authority, host = snowflakeHost } = options;
  const statements = new Map<string, Running>();
  const submissions: Submission[] = [];
  const asked: string[] = [];
  const faults: string[] = [];
  const cancelled = new Set<string>();
  let failing: number[] = [];
  const withheld = new Map<string, Promise<void>>();

  function reply(request: IncomingMessage, response: ServerResponse, name: OperationName, reply: Reply) {
    faults.push(...answerFaults(name, reply.status, reply.body));
    const body = Buffer.from(JSON.stringify(reply.body));
    const isPacked = String(request.headers['accept-encoding']).includes('gzip');
    response.writeHead(reply.status, {
      'content-type': 'application/json',
      ...(isPacked && { 'content-encoding': 'gzip' }),
    });
    response.end(isPacked ? gzipSync(body) : body);
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', `https://${snowflakeHost}`);
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
    const failure = failing.shift();
    if (failure !== undefined) return reply(request, response, name, { status: failure, body: {} });
    if (!isSignedIn(seen, options))
      return reply(request, response, name, {
        status: 401,
        body: { code: '390144', message: 'JWT token is invalid.' },
      });
    if (name === 'submit') {
      const submission = JSON.parse(seen.body) as Submission;
      submissions.push(submission);
      await withheld.get(submission.statement);
      const handle = randomUUID();
      statements.set(handle, {
        answer: options.answer(submission),
        polls: options.pendingPolls ?? 0,
        isCancelled: false,
      });
      return reply(request, response, name, { status: 202, body: statusOf(handle) });
    }
    const handle = /statements\/([^/]+)/.exec(url.pathname)?.[1] ?? '';
    const statement = statements.get(handle);
    if (!statement)
      return reply(request, response, name, { status: 404, body: { message: 'No such statement.' } });
    if (name === 'cancel') {
      statement.isCancelled = true;
      cancelled.add(handle);
      return reply(request, response, name, {
        status: 200,
        body: { statementHandle: handle, message: 'successfully canceled' },
      });
    }
    reply(
      request,
      response,
      name,
      stateOf(handle, statement, Number(url.searchParams.get('partition') ?? 0)),
    );
  };

  const { cert, key } = await authority.issue(host);
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
    host,
    port,
    caCertificate: authority.certificate,
    submissions,
    asked,
    cancelled,
    faults,
    dial: async (target, { signal }) => {
      const isOurs = target.host === host;
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
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Reply = { readonly status: number; readonly body: unknown };

/** Returns the status of a running statement. The URL names a foreign host: clients must not follow it. */
const statusOf = (statementHandle: string) => ({
  code: '333334',
  message: 'Asynchronous execution in progress.',
  sqlState: '00000',
  statementHandle,
  statementStatusUrl: 'https://elsewhere.test/api/v2/statements/other',
});

function stateOf(handle: string, statement: Running, part: number): Reply {
  const { answer } = statement;
  if (statement.isCancelled)
    return {
      status: 422,
      body: {
        code: '000604',
        sqlState: '57014',
        message: 'SQL execution canceled',
        statementHandle: handle,
      },
    };
  if (answer === 'endless' || statement.polls > 0) {
    statement.polls--;
    return { status: 202, body: statusOf(handle) };
  }
  if (!isResult(answer)) return { status: 422, body: { ...answer, statementHandle: handle } };
  return { status: 200, body: partOf(handle, answer, part) };
}

function partOf(handle: string, { columns, rows, partRows = [rows.length] }: TestResult, part: number) {
  const from = partRows.slice(0, part).reduce((sum, count) => sum + count, 0);
  const data = rows.slice(from, from + (partRows[part] ?? 0));
  // Only the first part has metadata.
  if (part > 0) return { data };
  return {
    resultSetMetaData: {
      numRows: rows.length,
      format: 'jsonv2',
      partitionInfo: partRows.map((rowCount) => ({ rowCount, uncompressedSize: rowCount * 10 })),
      rowType: columns.map(({ name, type, precision = 0, scale = 0, length = 0 }) => ({
        name,
        type,
        precision,
        scale,
        length,
        nullable: true,
      })),
    },
    data,
    code: '090001',
    sqlState: '00000',
    message: 'Statement executed successfully.',
    statementHandle: handle,
    createdOn: Date.now(),
    statementStatusUrl: 'https://elsewhere.test/x',
  };
}

const lifetimeMaxSeconds = 3_600;

/** Accepts a token of the list, or an unexpired token that the key of the named user signed. */
function isSignedIn({ headers }: SeenRequest, options: SnowflakeOptions): boolean {
  const token = String(headers['authorization']).replace(/^Bearer /, '');
  if (headers['x-snowflake-authorization-token-type'] === 'PROGRAMMATIC_ACCESS_TOKEN')
    return options.accessTokens?.includes(token) ?? false;
  const [head = '', claims = '', signature = ''] = token.split('.');
  const { sub, iss, iat, exp } = partOfToken(claims);
  const key = options.publicKeys?.[String(sub)];
  const now = Date.now() / 1_000;
  if (partOfToken(head)['alg'] !== 'RS256' || key === undefined) return false;
  if (!String(iss).startsWith(`${sub}.SHA256:`) || !(Number(iat) <= now && Number(exp) > now)) return false;
  if (Number(exp) - Number(iat) > lifetimeMaxSeconds) return false;
  const signed = Buffer.from(`${head}.${claims}`);
  return verify('sha256', signed, createPublicKey(key), Buffer.from(signature, 'base64url'));
}

function partOfToken(part: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

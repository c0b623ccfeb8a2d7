/**
 * Child process: serves the ClickHouse engine library (`chdb`) through the part of the server's HTTP interface that
 * clients use. The engine provides statements, settings, parameters, errors and cancellation. This file implements
 * users, their profiles and HTTP.
 *
 * Arguments: the package.json next to which `chdb` is installed, the data folder. Prints its port.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';

type Session = {
  queryAsync(sql: string, options?: { format: string }): Promise<{ text(): string }>;
  queryStream(sql: string, options: { format: string }): AsyncIterable<{ text(): string }>;
  close(): void;
};
type Engine = { Session: new (folder: string) => Session };

const [, , manifest = '', folder = ''] = process.argv;
const { Session } = createRequire(manifest)('chdb') as Engine;
const engine = new Session(folder);

/** Users with the settings of their profiles. `max_threads = 1` leaves the other cores to the tests. */
const users = new Map([
  ['default', { password: '', profile: 'max_threads = 1' }],
  ['reader', { password: 's3cret-Passw0rd', profile: '' }],
  ['readonly-1', { password: '', profile: 'max_threads = 1, readonly = 1' }],
  ['readonly-2', { password: '', profile: 'readonly = 2' }],
  ['berlin', { password: '', profile: "session_timezone = 'Europe/Berlin', readonly = 1" }],
  ['breaking', { password: '', profile: "max_result_rows = 5, result_overflow_mode = 'break'" }],
]);
const reserved = new Set(['database', 'default_format', 'query_id', 'query']);
/** Settings of the HTTP layer, which the library does not accept. */
const settingsOfHttp = new Set(['enable_http_compression', 'send_progress_in_http_headers']);
const statuses = new Map([
  [516, 403],
  [497, 403],
  [164, 500],
  [60, 404],
  [81, 404],
  [47, 404],
  [62, 400],
  [394, 500],
]);

const literal = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
const textOf = (header: string | string[] | undefined): string =>
  Buffer.from(String(header ?? ''), 'latin1').toString();

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function fail(response: ServerResponse, message: string): void {
  const code = Number(/Code: (\d+)/.exec(message)?.[1] ?? 1002);
  const status = statuses.get(code) ?? 500;
  response.writeHead(status, {
    'content-type': 'text/plain; charset=UTF-8',
    'x-clickhouse-exception-code': String(code),
  });
  response.end(`${message.replace(/^Query failed: /, '')} (version 26.7.2.1 (official build))\n`);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URL(request.url ?? '/', 'http://front').searchParams;
  const name = textOf(request.headers['x-clickhouse-user']) || 'default';
  const user = users.get(name);
  const sql = await bodyOf(request);
  if (!user || user.password !== textOf(request.headers['x-clickhouse-key'])) {
    const refusal = `${name}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)`;
    return fail(response, `Code: 516. DB::Exception: ${refusal}`);
  }
  const session = new Session(folder);
  const queryId = query.get('query_id') ?? '';
  let isOver = false;
  response.once('close', () => {
    if (isOver || query.get('cancel_http_readonly_queries_on_client_close') !== '1') return;
    void engine.queryAsync(`kill query where Settings['log_comment'] = ${literal(queryId)}`, {
      format: 'Null',
    });
  });
  try {
    await prepare(session, query, user.profile, queryId);
    await stream({ session, sql, query, response, isPacked: isPacked(request, query) });
  } catch (error) {
    if (response.headersSent) response.destroy();
    else fail(response, messageOf(error));
  } finally {
    isOver = true;
    session.close();
  }
}

const isPacked = (request: IncomingMessage, query: URLSearchParams): boolean =>
  query.get('enable_http_compression') === '1' && /gzip/.test(textOf(request.headers['accept-encoding']));

/** Applies the profile's settings before the request's settings, as the server does. The latter share one statement. */
async function prepare(
  session: Session,
  query: URLSearchParams,
  profile: string,
  queryId: string,
): Promise<void> {
  const database = query.get('database');
  if (database !== null) await session.queryAsync(`use \`${database}\``);
  await session.queryAsync(`set log_comment = ${literal(queryId)}`);
  const settings: string[] = [];
  for (const [name, value] of query) {
    if (name.startsWith('param_')) await session.queryAsync(`set ${name} = ${literal(value)}`);
    else if (!reserved.has(name) && !settingsOfHttp.has(name)) settings.push(`${name} = ${literal(value)}`);
  }
  if (profile !== '') await session.queryAsync(`set ${profile}`);
  if (settings.length > 0) await session.queryAsync(`set ${settings.join(', ')}`);
}

type Stream = {
  readonly session: Session;
  readonly sql: string;
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
  readonly isPacked: boolean;
};

/** Streams rows in the engine's format. An error after the first chunk is appended to the response as text. */
async function stream({ session, sql, query, response, isPacked }: Stream): Promise<void> {
  const format = query.get('default_format') ?? 'TabSeparated';
  const named = /\bformat\s+(\w+)\s*;?\s*$/i.exec(sql)?.[1];
  // `prepare` stores the query id in the setting `log_comment`, because the library accepts no query id.
  const text = sql.replace(/\bquery_id = ('[^']*')/, (_all, id: string) =>
    /^\s*kill\b/i.test(sql) ? `Settings['log_comment'] = ${id}` : _all,
  );
  const closed = once(response, 'close');
  const out = isPacked ? createGzip() : response;
  const start = () => {
    if (response.headersSent) return;
    response.writeHead(200, {
      'x-clickhouse-format': named ?? format,
      'x-clickhouse-summary': '{"read_rows":"0"}',
      ...(isPacked && { 'content-encoding': 'gzip' }),
    });
    if (isPacked) out.pipe(response);
  };
  try {
    for await (const chunk of chunksOf(session, text, format)) {
      start();
      if (!out.write(chunk)) await Promise.race([once(out, 'drain'), closed]);
      if (response.destroyed) return;
    }
    start();
    out.end();
    await closed;
  } catch (error) {
    if (!response.headersSent) throw error;
    out.end(`${messageOf(error)} (version 26.7.2.1 (official build))\n`);
    await closed;
  }
}

/** Yields chunks of a result. The library streams only statements that read tables; other results are one chunk. */
async function* chunksOf(session: Session, sql: string, format: string): AsyncGenerator<string> {
  // Each chunk repeats the heading lines of the format.
  const headLines = format.endsWith('WithNamesAndTypes') ? 2 : 0;
  let isFirst = true;
  try {
    for await (const chunk of session.queryStream(sql, { format })) {
      const text = chunk.text();
      yield isFirst ? text : text.split('\n').slice(headLines).join('\n');
      isFirst = false;
    }
  } catch (error) {
    if (!messageOf(error).includes('Streaming query is not supported')) throw error;
    yield (await session.queryAsync(sql, { format })).text();
  }
}

const server = createServer((request, response) => {
  response.on('error', () => undefined);
  answer(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
// The end of stdin means that the test process has ended.
process.stdin.on('end', () => process.exit()).resume();

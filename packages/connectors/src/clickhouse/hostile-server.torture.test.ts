import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../port.ts';
import { itSurvivesMalformedResponses, mutatedAnswer, type Random } from '../testing/hostile-answers.ts';
import { answer, dialTo, type Script } from '../testing/hostile-http.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createClickhouseConnector } from './index.ts';
import type { ClickhouseConnection } from './settings.ts';

const connector = createClickhouseConnector();
let script: Script = [];
let scripts: ((socket: Socket) => Script) | undefined;
let killed: string[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((socket) => {
    const answers = scripts?.(socket) ?? script;
    let at = 0;
    let seen = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
      const kill = /KILL QUERY WHERE query_id = '([^']+)'/.exec(seen)?.[1];
      if (kill) killed.push(kill);
      // A request is complete when its body has arrived. Both bodies end with their statement.
      const length = Number(/content-length: (\d+)/i.exec(seen)?.[1] ?? Number.NaN);
      const head = seen.indexOf('\r\n\r\n');
      if (head === -1 || seen.length < head + 4 + length) return;
      seen = '';
      const answer = answers[at++];
      if (answer) socket.write(answer);
      if (at >= answers.length && answer) socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

const dial = dialTo(() => server);
const password = 'pl4nted-s3cret';
const connection: ClickhouseConnection = {
  host: 'hostile.test',
  port: 8123,
  database: 'shop',
  user: 'reader',
  password,
  tlsMode: 'Disable',
};
const options = (change: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
  dial,
  signal: new AbortController().signal,
  timeoutMs: 3_000,
  maxRows: 1_000,
  maxBytes: 100_000,
  maxCellBytes: 10_000,
  ...change,
});

const profileRow = (row: object) =>
  JSON.stringify({ server_version: '26.7.2.1', server_zone: 'UTC', readonly: 0, ...row });
const profile = answer(
  [
    { name: 'readonly', value: '0' },
    { name: 'date_time_output_format', value: 'simple' },
  ]
    .map(profileRow)
    .join('\n'),
);
const rowsFormat = { 'x-clickhouse-format': 'JSONCompactEachRowWithNamesAndTypes' };
const goodRows =
  '["a","b","c"]\n["UInt64","String","Array(Float64)"]\n[1, "x\\n", [1.5,"nan"]]\n[18446744073709551615, "y", []]\n';
const execute = (change: Partial<ExecuteOptions> = {}) =>
  connector.execute(connection, { sql: 'select a, b, c from t' }, options(change));

describe('hostile ClickHouse server', () => {
  it('a valid response is read', async () => {
    script = [profile, answer(goodRows, rowsFormat)];
    expect(await rowsOf(await execute())).toEqual([
      [1, 'x\n', '[1.5,"nan"]'],
      ['18446744073709551615', 'y', '[]'],
    ]);
  });

  const bodies: readonly (readonly [name: string, body: string])[] = [
    ['a last row without a line feed', goodRows.slice(0, -1)],
    ['half a row', goodRows.slice(0, -9)],
    ['too few values in a row', goodRows.replace(', []', '')],
    ['too many values in a row', goodRows.replace('[]]', '[], 1]')],
    ['text after a row', goodRows.replace('[]]', '[]] 1')],
    ['an empty line', `${goodRows}\n`],
    ['a word instead of a number', goodRows.replace('[1,', '[one,')],
    ['a float instead of an integer', goodRows.replace('[1,', '[1.5,')],
    ['an invalid array', goodRows.replace('"nan"]', 'nan]')],
    ['a number instead of text', goodRows.replace('"y"', '5')],
    ['an object instead of a row', goodRows.replace(/\[18.*/, '{"a":1}')],
    ['an unclosed text', goodRows.replace('"y"', '"y')],
    ['an invalid escape sequence', goodRows.replace('x\\n', 'x\\q')],
    ['names that are numbers', goodRows.replace('"a"', '1')],
    ['fewer types than names', goodRows.replace(',"String"', '')],
    ['no types', '["a"]\n'],
    ['no columns', '[]\n[]\n[]\n'],
    ['no bytes', ''],
    ['an HTML page', '<html>'],
  ];
  it.each(bodies)('a run fails if the response contains %s', async (_name, body) => {
    script = [profile, answer(body, rowsFormat)];
    expect((await errorOf(execute().then(rowsOf))).code).toBe('connection-lost');
  });

  it('an error after rows is reported with the message of the engine, in each of its forms', async () => {
    const errorText =
      'Code: 241. DB::Exception: Memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED) (version 24.3.1.1 (official build))';
    const forms = [
      `${goodRows}${errorText}\n`,
      `${goodRows}${errorText}`,
      `${goodRows}[5, "z${errorText}\n`,
      `${goodRows}\r\n__exception__\r\nabcdefghijklmnop\r\n${errorText}\r\n130 abcdefghijklmnop\r\n__exception__\r\n`,
    ];
    for (const form of forms) {
      script = [profile, answer(form, rowsFormat)];
      const error = await errorOf(execute().then(rowsOf));
      expect(error).toMatchObject({
        code: 'out-of-memory',
        message: 'Memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED)',
      });
    }
  });

  it('a redirect is not followed, and a server other than ClickHouse is reported as such', async () => {
    for (const status of [301, 302, 307, 308]) {
      script = [answer('', { location: 'http://127.0.0.1:1/' }, status)];
      expect(await errorOf(execute())).toMatchObject({
        code: 'connection-failed',
        message: expect.stringContaining('redirect'),
      });
    }
    script = [answer('<h1>hello</h1>')];
    expect(await errorOf(execute())).toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining('no ClickHouse server'),
    });
    script = [answer('who are you', {}, 401)];
    expect(await errorOf(execute())).toMatchObject({ code: 'authentication-failed' });
    script = [Buffer.from('HTTP/1.1 200 OK\r\n\r\n')];
    expect(await errorOf(execute())).toMatchObject({ code: 'connection-failed' });
  });

  it('a small response that decompresses to a large one does not exhaust memory', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, '["'), { level: 9 });
    script = [profile, answer(bomb, { ...rowsFormat, 'content-encoding': 'gzip' })];
    const before = process.memoryUsage().rss;
    expect((await errorOf(execute())).code).toMatch(/^(too-many-bytes|value-too-large)$/);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    script = [answer(bomb, { 'content-encoding': 'gzip' })];
    expect((await errorOf(execute())).code).toBe('connection-failed');
    script = [profile, answer('x', { ...rowsFormat, 'content-encoding': 'br' })];
    expect((await errorOf(execute())).code).toBe('connection-failed');
    script = [
      profile,
      answer(gzipSync(goodRows).subarray(0, -12), { ...rowsFormat, 'content-encoding': 'gzip' }),
    ];
    expect((await errorOf(execute().then(rowsOf))).code).toBe('connection-lost');
  });

  it('a run ends at the time limit when the server stops responding, and the statement is killed', async () => {
    for (const silent of [
      [undefined],
      [profile, undefined],
      [profile, answer(goodRows, { ...rowsFormat, 'content-length': '99999' }), undefined],
    ]) {
      script = silent;
      killed = [];
      expect((await errorOf(execute({ timeoutMs: 2_000 }).then(rowsOf))).code).toBe('timed-out');
      if (silent.length > 1) await expect.poll(() => killed.length).toBe(1);
    }
  });

  itSurvivesMalformedResponses({
    begin: (random) => {
      scripts = () => hostileScript(random);
    },
    read: () => execute({ timeoutMs: 60_000 }).then(rowsOf),
    secret: password,
    expected: ['2 rows', 'connection-lost', 'connection-failed', 'syntax-refused', 'not-a-read'],
  });
});

const nasty = [
  '[',
  '{',
  '"',
  '\\',
  '\n',
  '\0',
  '\r\n',
  '0\r\n\r\n',
  'null',
  '1e999',
  '-',
  'ÿ',
  '"\\ud800"',
  '__exception__',
  'Code: 516. DB::Exception: ',
  'HTTP/1.1 302 F\r\n',
  '['.repeat(20_000),
  '9'.repeat(30_000),
];

/** Returns the valid answers with changes in one or both. */
function hostileScript(random: Random): Script {
  const rows = random(2) === 0 ? answer(goodRows, rowsFormat) : packed(random);
  const which = random(4);
  // Closes the connection after a changed first answer: a client that waits for more would wait for the time limit.
  return which === 0
    ? [mutatedAnswer(profile, random, nasty)]
    : [profile, which === 1 ? rows : mutatedAnswer(rows, random, nasty)];
}

const packed = (random: Random): Buffer =>
  answer(random(2) === 0 ? gzipSync(goodRows) : goodRows, { ...rowsFormat, 'content-encoding': 'gzip' });

import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../port.ts';
import { itSurvivesMalformedResponses, mutatedAnswer, type Random } from '../testing/hostile-answers.ts';
import { answer, chunked, dialTo, type Script } from '../testing/hostile-http.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createRestConnector } from './index.ts';

const connector = createRestConnector();
let scriptOf: () => Script = () => [];
let server: Server;

beforeAll(async () => {
  server = createServer((socket) => {
    const answers = scriptOf();
    let at = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
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
const secret = 'pl4nted-s3cret';
const connection = connector.settings.parse({
  baseUrl: 'http://hostile.test/v1',
  endpoints: ['/orders'],
  auth: 'ApiKeyInQuery',
  secret,
});
const sql = JSON.stringify({ path: '/orders', rows: '/data', pages: { next: '/next' } });
const execute = (change: Partial<ExecuteOptions> = {}) =>
  connector.execute(
    connection,
    { sql },
    {
      dial,
      signal: new AbortController().signal,
      timeoutMs: 3_000,
      maxRows: 1_000,
      maxBytes: 100_000,
      maxCellBytes: 10_000,
      ...change,
    },
  );
const firstPage =
  '{"data": [{"a": 1, "b": "x\\n\\u00e9"}, {"a": 9007199254740993, "b": null}], "next": "/v1/orders?p=2"}';
const lastPage = '{"next": null, "data": [{"a": -2.50, "b": ""}]}';
const script = (...answers: Script) => {
  scriptOf = () => answers;
};

describe('hostile REST API', () => {
  it('a valid JSON response is read in pieces of any size and with gzip', async () => {
    const rows = [
      [1, 'x\né'],
      ['9007199254740993', null],
      [-2.5, ''],
    ];
    for (const first of [
      answer(firstPage),
      chunked(firstPage, 1),
      chunked(firstPage, 7),
      answer(gzipSync(firstPage), { 'content-encoding': 'gzip' }),
    ]) {
      script(first, answer(`\u{feff}${lastPage}`));
      expect(await rowsOf(await execute())).toEqual(rows);
    }
  });

  const bodies: readonly (readonly [name: string, body: string, code: string])[] = [
    ['an empty response', '', 'statement-failed'],
    ['an HTML page', '<html>', 'statement-failed'],
    ['a word', 'hello', 'statement-failed'],
    ['half an object', lastPage.slice(0, -1), 'connection-lost'],
    ['half a row', lastPage.slice(0, -8), 'connection-lost'],
    ['text after the object', `${lastPage} x`, 'statement-failed'],
    ['two objects', `${lastPage}${lastPage}`, 'statement-failed'],
    ['an extra comma', lastPage.replace('}]', '},]'), 'statement-failed'],
    ['a missing comma', lastPage.replace(', "data"', ' "data"'), 'statement-failed'],
    ['a wrong bracket', lastPage.replace(']', '}'), 'statement-failed'],
    ['a name without quotes', lastPage.replace('"data"', 'data'), 'statement-failed'],
    ['an invalid number', lastPage.replace('-2.50', '-02'), 'statement-failed'],
    ['an invalid literal', lastPage.replace('-2.50', 'nul'), 'statement-failed'],
    ['an invalid escape sequence', lastPage.replace('""', '"\\q"'), 'statement-failed'],
    ['an unclosed text', lastPage.replace('""}]}', '"'), 'connection-lost'],
    ['text instead of rows', '{"data": "x"}', 'statement-failed'],
    ['missing rows', '{"rows": []}', 'statement-failed'],
    ['an object as the address of the next page', lastPage.replace('null', '{"a": 1}'), 'statement-failed'],
    ['deep nesting in a row', `{"data": [{"a": ${'['.repeat(500)}${']'.repeat(500)}}]}`, 'statement-failed'],
    ['deep nesting outside the rows', `{"x": ${'['.repeat(50_000)}`, 'statement-failed'],
    ['a long name of a member', `{"${'x'.repeat(20_000)}": 1, "data": []}`, 'statement-failed'],
    ['a long row', `{"data": [{"a": "${'x'.repeat(50_000)}"}]}`, 'value-too-large'],
    [
      'many members',
      `{"data": [{${Array.from({ length: 1_001 }, (_, at) => `"m${at}":1`).join(',')}}]}`,
      'statement-failed',
    ],
  ];
  it.each(bodies)('a run fails on %s', async (_name, body, code) => {
    script(answer(body));
    expect((await errorOf(execute().then(rowsOf))).code).toBe(code);
  });

  it('a server without HTTP or without TLS is reported as such', async () => {
    for (const greeting of [
      'SSH-2.0-OpenSSH_9.2p1\r\n',
      '220 mail.example.com ESMTP\r\n',
      'J\0\0\0\n8.4.3\0',
    ]) {
      script(Buffer.from(greeting));
      expect(await errorOf(execute())).toMatchObject({
        code: 'connection-failed',
        message: 'What answers at hostile.test:80 is no HTTP server. Check host and port.',
      });
    }
    script(answer(lastPage));
    const secure = connector.settings.parse({ ...connection, baseUrl: 'https://hostile.test/v1' });
    const options = { dial, signal: new AbortController().signal, timeoutMs: 3_000 };
    const test = await connector.testConnection(secure, options);
    expect(test).toMatchObject({ isOk: false, error: { code: 'tls-failed' } });
  });

  it('a member name does not change a prototype', async () => {
    script(
      answer(
        '{"data": [{"__proto__": {"x": 1}, "constructor": 2, "a": 3}], "__proto__": {"next": "/v1/orders?p=2"}}',
      ),
    );
    const result = await execute();
    expect(result.columns.map(({ name }) => name)).toEqual(['__proto__', 'constructor', 'a']);
    expect(await rowsOf(result)).toEqual([['{"x":1}', 2, 3]]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('a small response that decompresses to a large one does not exhaust memory', async () => {
    for (const start of ['{"data": [{"a": "', '{"data": [[', '{"x": "', '']) {
      const bomb = gzipSync(Buffer.concat([Buffer.from(start), Buffer.alloc(200_000_000, 'x')]), {
        level: 9,
      });
      script(answer(bomb, { 'content-encoding': 'gzip' }));
      const before = process.memoryUsage().rss;
      expect((await errorOf(execute().then(rowsOf))).code).toMatch(
        /^(too-many-bytes|value-too-large|statement-failed)$/,
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    }
    script(answer('x', { 'content-encoding': 'br' }));
    expect((await errorOf(execute())).code).toBe('connection-failed');
    script(answer(gzipSync(lastPage).subarray(0, -12), { 'content-encoding': 'gzip' }));
    expect((await errorOf(execute().then(rowsOf))).code).toBe('connection-lost');
  });

  it('a run ends at the time limit when the server stops responding', async () => {
    for (const silent of [
      [undefined],
      [answer(firstPage), undefined],
      [answer(firstPage, { 'content-length': '9999' }), undefined],
    ]) {
      script(...silent);
      expect((await errorOf(execute({ timeoutMs: 300 }).then(rowsOf))).code).toMatch(
        /^(timed-out|connection-lost)$/,
      );
    }
  });

  itSurvivesMalformedResponses({
    begin: (random) => {
      scriptOf = () => hostileScript(random);
    },
    read: () => execute({ timeoutMs: 60_000 }).then(rowsOf),
    secret,
    expected: ['3 rows', 'connection-lost', 'connection-failed', 'statement-failed', 'permission-denied'],
  });
});

const nasty = [
  '[',
  '{',
  '}',
  ']',
  '"',
  '\\',
  ',',
  ':',
  '\n',
  '\0',
  '\r\n',
  '0\r\n\r\n',
  'null',
  '1e999',
  '1e400',
  '-',
  'ÿ',
  '"\\ud800"',

  '"__proto__":',
  '"data":',
  '"next":"http://evil.test/"',
  '"next":"/v1/orders?p=3"',
  `"next":"/v1/orders?p=3&api_key=${secret}"`,
  `"${secret}"`,
  'HTTP/1.1 302 F\r\n',
  '['.repeat(20_000),
  '{"a":'.repeat(5_000),
  '9'.repeat(30_000),
];

/** Returns the two valid answers with changes in one or both. */
function hostileScript(random: Random): Script {
  const first =
    random(3) === 0
      ? packed(random)
      : random(2) === 0
        ? answer(firstPage)
        : chunked(firstPage, 1 + random(40));
  const last =
    random(8) === 0
      ? answer(`{"message": "no ${secret}"}`, {}, [400, 401, 403, 429, 500][random(5)])
      : answer(lastPage);
  // Closes the connection after a changed first answer: a client that waits for more would wait for the time limit.
  const which = random(4);
  return which === 0
    ? [mutatedAnswer(first, random, nasty)]
    : [first, which === 1 ? last : mutatedAnswer(last, random, nasty)];
}

const packed = (random: Random): Buffer =>
  answer(random(2) === 0 ? gzipSync(firstPage) : firstPage, { 'content-encoding': 'gzip' });

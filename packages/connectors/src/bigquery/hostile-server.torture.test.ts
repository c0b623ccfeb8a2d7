import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { itSurvivesMalformedResponses, mutatedAnswer, type Random } from '../testing/hostile-answers.ts';
import { answer, chunked } from '../testing/hostile-http.ts';
import { errorOf } from '../testing/results.ts';
import { createBigQueryConnector } from './index.ts';
import {
  further,
  good,
  goodRows,
  goodText,
  jobReference,
  json,
  query,
  row,
  type Script,
  schema,
  token,
  unchanged,
  useHostileBigQuery,
  validScript,
} from './testing/hostile-service.ts';

const { server, connection, read, script, scriptBy } = useHostileBigQuery();

describe('hostile BigQuery service', () => {
  it('valid responses are read in pieces of any size and with gzip', async () => {
    script();
    expect(await read()).toEqual(goodRows);
    for (const response of [
      chunked(JSON.stringify(good.query), 1),
      chunked(JSON.stringify(good.query), 7),
      unchanged(answer(gzipSync(JSON.stringify(good.query)), { 'content-encoding': 'gzip' })),
    ]) {
      script({ query: unchanged(response) });
      expect(await read()).toEqual(goodRows);
    }
  });

  it.each<readonly [name: string, change: Partial<Script>]>([
    ['that is empty', { query: unchanged(answer('')) }],
    ['that is an HTML page', { query: unchanged(answer('<html>')) }],
    ['with half an object', { query: unchanged(answer(JSON.stringify(good.query).slice(0, -5))) }],
    ['that is a list', { query: json([good.query]) }],
    ['without a job', query({ jobReference: undefined })],
    ['with a path as the job id', query({ jobReference: { jobId: '../../../x', location: 'EU' } })],
    ['with an invalid location', query({ jobReference: { jobId: 'j', location: 'EU&x=1' } })],
    ['without a valid completion state', query({ jobComplete: 'yes' })],
    ['without columns', query({ schema: undefined })],
    ['without a number of rows', query({ totalRows: undefined })],
    ['with an invalid number of rows', query({ totalRows: '1e3' })],
    ['with fewer rows than its total', query({ totalRows: '4' })],
    ['with more rows than its total', query({ totalRows: '2' })],
    ['with text instead of rows', query({ rows: 'x' })],
    ['with an empty object as a row', query({ rows: [{}] })],
    ['with a missing value', query({ rows: [{ f: [{ v: '1' }] }] })],
    ['with a value of another type', query({ rows: [row('x', 'x')] })],
    ['with a number that is not text', query({ rows: [{ f: [{ v: 1 }, { v: 'x' }] }] })],
    ['with half a row', { query: unchanged(answer(goodText.slice(0, goodText.indexOf('9007')))) }],
    ['with text after the object', { query: unchanged(answer(`${goodText} x`)) }],
    ['with an unclosed text', { query: unchanged(answer(goodText.replace('"x"', '"x'))) }],
    ['with deep nesting', { query: unchanged(answer(`{"schema": ${'['.repeat(50_000)}`)) }],
    ['with a deeply nested row', { query: unchanged(answer(`{"rows": [${'{"f":['.repeat(50_000)}`)) }],
    ['with a negative number of rows', query({ totalRows: '-3' })],
    ['with a number of rows that is not text', query({ totalRows: 3 })],
    ['with a column without a type', query({ schema: { fields: [{ name: 'a' }] } })],
    ['with an object instead of columns', query({ schema: { fields: {} } })],
    ['with an object instead of rows', query({ rows: { f: [{ v: '1' }] } })],
    ['with a list of values as a row', query({ rows: [['1', 'x']] })],
    ['with an object instead of a value', query({ rows: [{ f: [{ v: { v: '1' } }, { v: 'x' }] }] })],
    ['with a list instead of a value', query({ rows: [{ f: [{ v: [] }, { v: 'x' }] }] })],
    ['with an extra value', query({ rows: [{ f: [{ v: '1' }, { v: 'x' }, { v: 'x' }] }] })],
    ['with too long a token', query({ pageToken: 'p'.repeat(10_000) })],
    ['with a further page of another job', further({ jobReference: { ...jobReference, jobId: 'job_2' } })],
    [
      'with a further page from another location',
      further({ jobReference: { ...jobReference, location: 'US' } }),
    ],
    ['with a further page of other columns', further({ schema: { fields: [...schema.fields].reverse() } })],
    [
      'with a further page of more columns',
      further({ schema: { fields: [...schema.fields, ...schema.fields] } }),
    ],
    ['that repeats the same page', { results: json({ ...good.query }) }],
    ['with more rows than requested', query({ rows: Array.from({ length: 1_002 }, () => row('1', 'x')) })],
    ['with an empty page before a further page', query({ rows: [] })],
    ['with an invalid token', query({ pageToken: 7 })],
    ['with an incomplete further page', { results: json({ jobReference, jobComplete: false }) }],
  ])('a run fails after a response %s', async (_name, change) => {
    script(change);
    expect((await errorOf(read())).code).toBe('connection-lost');
  });

  it('rows of another job are refused, and the connector does not wait for that job', async () => {
    const other = { ...jobReference, jobId: 'job_2' };
    const waiting = { query: json({ jobReference, jobComplete: false }) };
    for (const results of [
      json({ ...good.results, jobReference: other, totalRows: '1' }),
      json({ jobReference: other, jobComplete: false }),
    ]) {
      script({ ...waiting, results });
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
    script({ ...waiting, results: json({ ...good.results, totalRows: '1' }) });
    expect(await read()).toEqual([[-2, '']]);
  });

  it('a response in another format fails with connection-failed', async () => {
    for (const change of [
      { dryRun: unchanged(answer('<h1>hello</h1>', {}, 404)) },
      { query: unchanged(answer('<h1>hello</h1>', {}, 404)) },
      { results: unchanged(answer('x', { 'content-encoding': 'br' })) },
      { query: Buffer.from('SSH-2.0-OpenSSH_9.2p1\r\n') },
    ]) {
      script(change);
      expect((await errorOf(read())).code).toBe('connection-failed');
    }
  });

  it('an error response that is too long still fails with a code for its status', async () => {
    const long = { error: { message: 'x', errors: Array.from({ length: 500_000 }, () => ({})) } };
    for (const [status, code] of [
      [400, 'connection-failed'],
      [403, 'permission-denied'],
    ] as const) {
      script({ dryRun: json(long, status) });
      expect((await errorOf(read())).code).toBe(code);
    }
  });

  it('an invalid token response fails the run', async () => {
    for (const change of [
      { access_token: 'a\r\nx-y: z' },
      { access_token: '' },
      { access_token: 7 },
      { token_type: 'MAC' },
      { expires_in: -1 },
    ]) {
      script({ token: json({ ...good.token, ...change }) });
      expect((await errorOf(read({}, createBigQueryConnector()))).code).toBe('connection-lost');
    }
  });

  it('a redirect is not followed', async () => {
    const elsewhere = unchanged(answer('', { location: 'https://evil.test/' }, 307));
    for (const change of [{ dryRun: elsewhere }, { query: elsewhere }, { results: elsewhere }]) {
      script(change);
      expect(await errorOf(read())).toMatchObject({
        code: 'connection-failed',
        message: 'bigquery.googleapis.com answers with a redirect, which is not followed.',
      });
    }
    script({ token: elsewhere });
    expect((await errorOf(read({}, createBigQueryConnector()))).code).toBe('connection-failed');
  });

  it('a job that never completes is polled with bounded frequency until the time limit', async () => {
    let requests = 0;
    server().on('secureConnection', (socket) =>
      socket.on('data', (chunk) => {
        if (chunk.toString('latin1').startsWith('GET ')) requests++;
      }),
    );
    script({
      query: json({ jobReference, jobComplete: false }),
      results: json({ jobReference, jobComplete: false }),
    });
    expect((await errorOf(read({ timeoutMs: 1_000 }))).code).toBe('timed-out');
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThan(12);
  });

  it('no error message contains a secret that the service repeats', async () => {
    const keyText: unknown = JSON.parse(connection().keyFile);
    const { private_key: privateKey } = keyText as { private_key: string };
    const message = `no ${token} ${privateKey}`;
    for (const [status, reason] of [
      [400, 'invalidQuery'],
      [401, 'authError'],
      [403, token],
    ] as const) {
      script({ dryRun: json({ error: { message, errors: [{ reason, message }] } }, status) });
      const error = await errorOf(read());
      const texts = JSON.stringify([error.message, error.engineCode, error.hint, error.stack]);
      expect(texts).not.toContain('s3cret');
      expect(texts).not.toContain(JSON.stringify(privateKey).slice(1, -1));
    }
    const failed = { ...good.dryRun, status: { state: 'DONE', errorResult: { reason: 'invalid', message } } };
    script({ dryRun: json(failed) });
    expect((await errorOf(read())).message).toBe('no ••• •••');
    const description = `no ${token}`;
    script({ token: json({ error: 'invalid_grant', error_description: description }, 400) });
    expect((await errorOf(read({}, createBigQueryConnector()))).code).toBe('authentication-failed');
  });

  it('a small response that decompresses to a large one does not exhaust memory', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from('{"rows": ["'), Buffer.alloc(200_000_000, 'x')]));
    const packed = unchanged(answer(bomb, { 'content-encoding': 'gzip' }));
    for (const change of [{ dryRun: packed }, { query: packed }, { results: packed }]) {
      script(change);
      const before = process.memoryUsage().rss;
      expect((await errorOf(read())).code).toMatch(/^(too-many-bytes|value-too-large)$/);
      expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    }
  });

  it('a run ends at the time limit when the service stops responding', async () => {
    for (const change of [{ query: undefined }, { results: undefined }]) {
      script(change);
      expect((await errorOf(read({ timeoutMs: 300 }))).code).toBe('timed-out');
    }
  });

  itSurvivesMalformedResponses({
    begin: (random) => scriptBy(() => hostileScript(random)),
    read: () => read({ timeoutMs: 10_000 }),
    // Some answers report a job that never completes.
    secret: token,
    timedOutShareMax: 0.1,
    expected: ['3 rows', 'connection-lost', 'connection-failed', 'statement-failed', 'authentication-failed'],
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
  '-',
  'ÿ',
  '"\\ud800"',
  '"__proto__":',
  '"rows":',
  '"jobComplete":false,',
  '"pageToken":"p",',
  '"statementType":"SCRIPT",',
  `"${token}"`,
  'HTTP/1.1 302 F\r\n',
  '['.repeat(20_000),
  '{"f":'.repeat(5_000),
  '9'.repeat(30_000),
];

/** Returns the valid answers with a change in one of them, or an error that repeats the secret. */
function hostileScript(random: Random): Script {
  const refusal = json(
    { error: { message: `no ${token}`, errors: [{ reason: ['invalid', 'authError', token][random(3)] }] } },
    [400, 401, 403, 429, 500][random(5)],
  );
  const part = (['token', 'dryRun', 'query', 'results'] as const)[random(4)] ?? 'query';
  if (random(20) === 0) return validScript;
  const changed = random(8) === 0 ? refusal : mutatedAnswer(validScript[part], random, nasty);
  // A changed token would be cached. Messages would then repeat a text that is no secret.
  const isAnother = part === 'token' && !changed.includes(`"${token}"`);
  return { ...validScript, [part]: isAnother ? refusal : changed };
}

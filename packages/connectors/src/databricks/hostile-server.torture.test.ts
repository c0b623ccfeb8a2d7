import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { itSurvivesMalformedResponses, mutatedAnswer, type Random } from '../testing/hostile-answers.ts';
import { answer, type Script } from '../testing/hostile-http.ts';
import { errorOf } from '../testing/results.ts';
import type { DatabricksConnection } from './settings.ts';
import {
  id,
  opened,
  result,
  rows,
  runs,
  secondChunk,
  secret,
  session,
  useHostileDatabricks,
} from './testing/hostile-service.ts';

const { service, connection, script, read } = useHostileDatabricks();

describe('hostile Databricks server', () => {
  it('a valid response is read with or without gzip, in any order of its members', async () => {
    const { result: data, status, ...head } = JSON.parse(result);
    const packed = { 'content-encoding': 'gzip' };
    for (const first of [
      answer(result),
      answer(gzipSync(result), packed),
      answer(JSON.stringify({ result: data, ...head, status })),
    ]) {
      script(opened, runs, runs, first, answer(gzipSync(secondChunk), packed));
      expect(await read()).toEqual(rows);
    }
    script(opened, answer(result), answer(secondChunk));
    expect(await read()).toEqual(rows);
  });

  it.each<[name: string, body: string]>([
    ['that is empty', ''],
    ['that is an HTML page', '<html>'],
    ['with half an object', result.slice(0, -1)],
    ['with half a row', result.slice(0, result.indexOf('"-1"'))],
    ['with text after the object', `${result} x`],
    ['without a state', result.replace('"SUCCEEDED"', '""')],
    ['with an unknown state', result.replace('SUCCEEDED', 'DONE')],
    ['without a manifest', result.replace('"manifest"', '"manifold"')],
    ['without rows', result.replace('data_array', 'data')],
    ['with external links', result.replace('data_array', 'external_links')],
    ['in another format', result.replace('JSON_ARRAY', 'ARROW_STREAM')],
    ['with an extra row', result.replace('["-1"', '["7",null,null],["-1"')],
    ['with a missing row', result.replace(',["-1",null,null]', '')],
    ['with too few values in a row', result.replace('"-1",null', '"-1"')],
    ['with too many values in a row', result.replace('"-1"', '"-1","-1"')],
    ['with a number instead of text', result.replace('"-1"', '-1')],
    ['with a word instead of a number', result.replace('"-1"', '"one"')],
    ['with an object instead of a value', result.replace('"-1"', '{"v":1}')],
    ['with an object instead of a row', result.replace('["-1",null,null]', '{"A":1}')],
    ['with an invalid time', result.replace('1970-01-01T01', 'yesterday')],
    ['with a wrong total of rows', result.replace('"total_row_count":3', '"total_row_count":4')],
    ['with a negative count', result.replace('"total_row_count":3', '"total_row_count":-3')],
    ['with too many chunks', result.replace('"total_chunk_count":2', '"total_chunk_count":20000')],
    ['with another number of chunks', result.replace('"total_chunk_count":2', '"total_chunk_count":3')],
    ['with chunks that are not a list', result.replace(/"chunks":\[.*?\]/, '"chunks":{}')],
    ['without columns', result.replace(/"columns":\[.*?\]/, '"columns":[]')],
    ['with a column without a type', result.replace('"type_text":"STRING","type_name":"STRING",', '')],
    ['with an invalid id', result.replace(id, '../../x')],
    ['with deep nesting', `{"manifest": ${'['.repeat(50_000)}`],
    ['with an unclosed text', result.replace('"x\\n"', '"x')],
  ])('a run fails after a response %s', async (_name, body) => {
    script(opened, runs, answer(body), answer(secondChunk));
    const error = await errorOf(read());
    expect(error.code).toBe('connection-lost');
  });

  it('a run fails if a further chunk is incomplete or missing', async () => {
    for (const chunk of [
      answer('{"data_array": []}'),
      answer('{"data_array": [["2","y",null],["3","z",null]]}'),
      answer('{}'),
      answer('{"external_links": [{"external_link": "https://x.test/"}]}'),
      answer('', {}, 202),
      answer('{}', {}, 404),
    ]) {
      script(opened, runs, answer(result), chunk);
      expect((await errorOf(read())).code).toMatch(/^connection-(lost|failed)$/);
    }
  });

  it('an invalid session id or statement id fails the run and is never used in a path', async () => {
    service().ended.length = 0;
    for (const wrong of ['../../x', `${id}/cancel`, `${id}?x=1`, '', 1, null]) {
      script(answer(JSON.stringify({ session_id: wrong })), runs, answer(result));
      expect((await errorOf(read())).code).toBe('connection-lost');
      const status = { state: 'RUNNING' };
      script(opened, answer(JSON.stringify({ statement_id: wrong, status })), answer(result));
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
    await expect.poll(() => service().ended.length).toBe(6);
    expect(new Set(service().ended)).toEqual(
      new Set([`DELETE /api/2.0/sql/sessions/${session}?warehouse_id=abc`]),
    );
  });

  it('rows of another statement or another chunk are refused', async () => {
    const other = randomUUID();
    const stateOf = (state: string) => answer(JSON.stringify({ statement_id: other, status: { state } }));
    const chunkOf = (change: object) => answer(JSON.stringify({ ...JSON.parse(secondChunk), ...change }));
    for (const answers of [
      [runs, answer(result.replace(id, other)), answer(secondChunk)],
      [runs, stateOf('RUNNING'), answer(result), answer(secondChunk)],
      [runs, stateOf('FAILED')],
      [
        runs,
        answer(result.replace('"chunk_index":0,"row_offset":0,"row_count":2,"next', '"chunk_index":1,"next')),
      ],
      [runs, answer(result), chunkOf({ chunk_index: 0 })],
      [runs, answer(result), chunkOf({ chunk_index: '1' })],
      [runs, answer(result), chunkOf({ statement_id: other })],
    ]) {
      script(opened, ...answers);
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
    script(opened, runs, answer(result), chunkOf({ statement_id: id }));
    expect(await read()).toEqual(rows);
  });

  it('a redirect is not followed, and a server other than Databricks is reported as such', async () => {
    for (const status of [301, 302, 307, 308]) {
      script(answer('', { location: 'https://127.0.0.1:1/' }, status));
      expect(await errorOf(read())).toMatchObject({
        code: 'connection-failed',
        message: expect.stringContaining('redirect'),
      });
    }
    script(answer('<h1>hello</h1>', {}, 404));
    expect(await errorOf(read())).toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining('no Databricks server'),
    });
    script(Buffer.from('SSH-2.0-OpenSSH_9.2p1\r\n'));
    expect((await errorOf(read())).code).toMatch(/^connection-(lost|failed)$/);
  });

  it('an invalid token response fails the run, and a refusal is reported without the secret', async () => {
    const principal: DatabricksConnection = {
      ...connection(),
      signIn: 'ServicePrincipal',
      clientId: 'reader',
      clientSecret: secret,
      accessToken: '',
    };
    for (const body of [
      { access_token: 'a\r\nx: b', token_type: 'Bearer', expires_in: 3_600 },
      { access_token: '', token_type: 'Bearer', expires_in: 3_600 },
      { access_token: 'a', token_type: 'MAC', expires_in: 3_600 },
      { access_token: 'a', token_type: 'Bearer', expires_in: -1 },
      { access_token: 'a', token_type: 'Bearer' },
      [],
      null,
    ]) {
      script(answer(JSON.stringify(body)));
      expect((await errorOf(read(3_000, principal))).code).toBe('connection-lost');
    }
    script(answer('', { location: 'https://127.0.0.1:1/' }, 302));
    expect((await errorOf(read(3_000, principal))).code).toBe('connection-failed');
    script(answer(JSON.stringify({ error: 'x', error_description: `No ${secret}` }), {}, 400));
    expect(await errorOf(read(3_000, principal))).toMatchObject({
      code: 'authentication-failed',
      message: 'Databricks refuses the service principal: No •••',
    });
  });

  it('an error message contains no secret that the server repeats', async () => {
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJBIn0.c2lnbmF0dXJl';
    const personal = 'dapi0123456789abcdef0123456789abcdef-2';
    const message = `No such token ${secret}, ${jwt}, ${personal}`;
    const hiddenMessage = 'No such token •••, •••, •••';
    script(answer(JSON.stringify({ error_code: 'UNAUTHENTICATED', message }), {}, 401));
    const refused = await errorOf(read());
    expect(refused).toMatchObject({ code: 'authentication-failed', message: hiddenMessage });
    const error = { error_code: 'BAD_REQUEST', message };
    script(opened, answer(JSON.stringify({ statement_id: id, status: { state: 'FAILED', error } })));
    const failed = await errorOf(read());
    expect(failed).toMatchObject({ code: 'statement-failed', message: hiddenMessage });
    for (const each of [refused, failed])
      expect(JSON.stringify([each.message, each.hint, String(each.cause)])).not.toContain(secret);
  });

  it('a small response that decompresses to a large one does not exhaust memory', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, '["'), { level: 9 });
    const packed = { 'content-encoding': 'gzip' };
    const before = process.memoryUsage().rss;
    for (const answers of [
      [opened, runs, answer(bomb, packed)],
      [opened, answer(bomb, packed)],
      [answer(bomb, packed)],
      [answer(bomb, packed, 400)],
    ]) {
      script(...answers);
      expect((await errorOf(read())).code).toMatch(/^(too-many-bytes|value-too-large|connection-.*)$/);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    script(opened, runs, answer('x', { 'content-encoding': 'br' }));
    expect((await errorOf(read())).code).toBe('connection-failed');
  });

  it('a run ends at the time limit when the server stops responding, and open statements and sessions are closed', async () => {
    for (const answersBefore of [0, 1, 2, 3]) {
      // New ids for each run: requests to end an earlier run may still arrive.
      const [sessionId, statement] = [randomUUID(), randomUUID()];
      const opening = answer(JSON.stringify({ session_id: sessionId }));
      const running = answer(JSON.stringify({ statement_id: statement, status: { state: 'RUNNING' } }));
      script(...[opening, running, running].slice(0, answersBefore), undefined);
      expect((await errorOf(read(2_000))).code).toBe('timed-out');
      const requests = () =>
        service().ended.filter((each) => each.includes(sessionId) || each.includes(statement));
      const [cancelled, closed] = [
        `POST /api/2.0/sql/statements/${statement}/cancel`,
        `DELETE /api/2.0/sql/sessions/${sessionId}?warehouse_id=abc`,
      ];
      if (answersBefore > 0)
        await expect.poll(requests).toEqual(answersBefore > 1 ? [cancelled, closed] : [closed]);
    }
  });

  itSurvivesMalformedResponses({
    begin: (random) => service().scriptBy(() => hostileScript(random)),
    read: () => read(60_000),
    secret,
    expected: ['2 rows', '3 rows', 'connection-lost', 'connection-failed', 'statement-failed'],
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
  'null',
  '1e999',
  '-',
  'ÿ',
  '"\\ud800"',
  '__proto__',
  '[[',
  '"data_array":',
  '"row_count":-1',
  'HTTP/1.1 302 F\r\n',
  '['.repeat(20_000),
  '9'.repeat(30_000),
];

/** Result with only the rows of the first chunk, which are two. */
const wholeBody = JSON.parse(result);
const singleChunk = answer(
  JSON.stringify({
    ...wholeBody,
    manifest: { ...wholeBody.manifest, total_chunk_count: 1, total_row_count: 2, chunks: undefined },
  }),
);
const failed = answer(
  JSON.stringify({
    statement_id: id,
    status: {
      state: 'FAILED',
      sql_state: '42601',
      error: { error_code: 'BAD_REQUEST', message: '[PARSE_SYNTAX_ERROR] Syntax error (line 1, pos 3)' },
    },
  }),
);

/**
 * Returns a result in one answer, a failure, or the answers of a run in several chunks. One of them is changed, and
 * the connection closes after it.
 */
function hostileScript(random: Random): Script {
  const kind = random(8);
  if (kind < 4) return [opened, random(8) === 0 ? singleChunk : mutatedAnswer(singleChunk, random, nasty)];
  if (kind < 6) return [opened, mutatedAnswer(failed, random, nasty)];
  const good = [opened, runs, answer(result), answer(secondChunk)];
  const at = random(5);
  const changed = good[at];
  return changed ? [...good.slice(0, at), mutatedAnswer(changed, random, nasty)] : good;
}

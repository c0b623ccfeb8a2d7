import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { itSurvivesMalformedResponses, mutatedAnswer, type Random } from '../testing/hostile-answers.ts';
import { answer, type Script } from '../testing/hostile-http.ts';
import { errorOf } from '../testing/results.ts';
import {
  handle,
  result,
  rows,
  runs,
  secondPart,
  secret,
  single,
  status,
  useHostileSnowflake,
} from './testing/hostile-service.ts';

const { service, script, read, readWithNames } = useHostileSnowflake();

describe('hostile Snowflake server', () => {
  it('a valid response is read with or without gzip, in any order of its members', async () => {
    const { data, ...head } = JSON.parse(result);
    for (const first of [
      answer(result),
      answer(gzipSync(result), { 'content-encoding': 'gzip' }),
      answer(JSON.stringify({ data, ...head })),
    ]) {
      script(runs, runs, first, answer(gzipSync(secondPart), { 'content-encoding': 'gzip' }));
      expect(await read()).toEqual(rows);
    }
  });

  it.each<[name: string, body: string]>([
    ['that is empty', ''],
    ['that is an HTML page', '<html>'],
    ['with half an object', result.slice(0, -1)],
    ['with half a row', result.slice(0, result.indexOf('-1'))],
    ['with text after the object', `${result} x`],
    ['without a head', JSON.stringify({ data: [] })],
    ['without rows', JSON.stringify({ resultSetMetaData: JSON.parse(result).resultSetMetaData })],
    ['with an extra row', result.replace('["-1"', '["7",null,null],["-1"')],
    ['with a missing row', result.replace(',["-1",null,null]', '')],
    ['with too few values in a row', result.replace('"-1",null', '"-1"')],
    ['with too many values in a row', result.replace('"-1"', '"-1","-1"')],
    ['with a number instead of text', result.replace('"-1"', '-1')],
    ['with a word instead of a number', result.replace('"-1"', '"one"')],
    ['with an object instead of a value', result.replace('"-1"', '{"v":1}')],
    ['with an object instead of a row', result.replace('["-1",null,null]', '{"A":1}')],
    ['with a time without an offset', result.replace(' 1500', '')],
    ['with an invalid offset of a time', result.replace(' 1500', ' 9000')],
    ['with a wrong total of rows', result.replace('"numRows":3', '"numRows":4')],
    ['with a negative count', result.replace('"numRows":3', '"numRows":-3')],
    ['without columns', result.replace(/"rowType":\[.*?\],"part/, '"rowType":[],"part')],
    ['with a column without a type', result.replace('"type":"text",', '')],
    ['with parts that are not a list', result.replace(/"partitionInfo":\[.*?\]/, '"partitionInfo":{}')],
    ['with deep nesting', `{"resultSetMetaData": ${'['.repeat(50_000)}`],
    ['with an unclosed text', result.replace('"x\\n"', '"x')],
  ])('a run fails after a response %s', async (_name, body) => {
    script(runs, answer(body), answer(secondPart));
    const error = await errorOf(read());
    expect(error.code).toBe('connection-lost');
  });

  it('a run fails if a further part is incomplete or missing', async () => {
    for (const part of [
      answer('{"data": []}'),
      answer('{"data": [["2","y",null],["3","z",null]]}'),
      answer('{}'),
      answer(status, {}, 202),
    ]) {
      script(runs, answer(result), part);
      expect((await errorOf(read())).code).toMatch(/^connection-(lost|failed)$/);
    }
  });

  it('an invalid statement handle fails the run', async () => {
    for (const wrong of ['../../x', `${handle}/cancel`, `${handle}?x=1`, '', 1, null]) {
      script(answer(JSON.stringify({ statementHandle: wrong }), {}, 202), answer(result));
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
  });

  it('rows of another statement are refused', async () => {
    const other = randomUUID();
    const partOf = (change: object) => answer(JSON.stringify({ ...JSON.parse(secondPart), ...change }));
    for (const answers of [
      [runs, answer(result.replace(handle, other)), answer(secondPart)],
      [runs, answer(status.replace(handle, other), {}, 202), answer(result), answer(secondPart)],
      [runs, answer(result), partOf({ statementHandle: other })],
      [runs, answer(result), partOf({ statementHandle: null })],
    ]) {
      script(...answers);
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
    script(runs, answer(result), partOf({ statementHandle: handle }));
    expect(await read()).toEqual(rows);
  });

  it('texts and names are returned unchanged, with U+FFFD for bytes that are not valid UTF-8', async () => {
    const texts = ['a\0b', '\ud800', '\udc00x', '\u202e', '<b>', '__proto__', ''];
    for (const text of texts) {
      script(answer(single([text])));
      expect(await read()).toEqual([[text]]);
    }
    const [before, behind] = single(['HERE']).split('HERE');
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      script(answer(Buffer.concat([Buffer.from(`${before}`), Buffer.from(bytes), Buffer.from(`${behind}`)])));
      expect(await read()).toEqual([['\ufffd'.repeat(bytes.length)]]);
    }
    for (const wrong of ['\0', '\n', '\\', '\\u12', '\\x41']) {
      script(answer(`${before}${wrong}${behind}`));
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
  });

  it('columns can have any name, and no name changes a prototype', async () => {
    const names = ['__proto__', 'constructor', 'toString', '', 'a', 'a', 'a\0', '\ud800', 'x'.repeat(1_000)];
    script(answer(single(names, names)));
    expect(await readWithNames()).toEqual({ names, rows: [names] });
    const polluted = { polluted: 'yes', statementHandle: handle, rowType: [], numRows: 0 };
    for (const at of ['__proto__', 'constructor']) {
      const body = JSON.stringify({
        X: { ...polluted, prototype: polluted },
        resultSetMetaData: { X: polluted },
        data: [],
      });
      script(answer(body.replaceAll('"X"', JSON.stringify(at))));
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
    expect(['polluted', 'statementHandle', 'rowType', 'numRows'].some((name) => name in {})).toBe(false);
  });

  it('a number is returned exactly as sent', async () => {
    const digits = '1234567890123456789012345678901234567890';
    const cellsOf = async (type: string, texts: readonly string[], scale = 0) => {
      script(answer(single(texts, texts, { type, scale })));
      return (await read())[0];
    };
    const sent = [
      '1e-400',
      '1e400',
      '-1e400',
      '0.10000000000000000000000000000000000000001',
      digits,
      '-0',
      '0e5',
    ];
    // For integers and decimals, -0 is 0.
    const exact = [...sent.slice(0, 5), 0, 0];
    expect(await cellsOf('decfloat', sent)).toEqual(exact);
    expect(await cellsOf('fixed', sent, 2)).toEqual(exact);
    expect(await cellsOf('real', ['1e-400', '1e400', '-1e400', '4.9e-324', '-0', '-0.0'])).toEqual([
      '1e-400',
      '1e400',
      '-1e400',
      5e-324,
      -0,
      -0,
    ]);
    expect(await cellsOf('fixed', [digits, '-0', '9007199254740993'])).toEqual([
      digits,
      0,
      '9007199254740993',
    ]);
  });

  it('a redirect is not followed, and a server other than Snowflake is reported as such', async () => {
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
      message: expect.stringContaining('no Snowflake server'),
    });
    script(Buffer.from('SSH-2.0-OpenSSH_9.2p1\r\n'));
    expect((await errorOf(read())).code).toMatch(/^connection-(lost|failed)$/);
  });

  it('an error message contains no secret that the server repeats', async () => {
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJBIn0.c2lnbmF0dXJl';
    script(answer(JSON.stringify({ code: '390144', message: `No such token ${secret}, ${jwt}` }), {}, 401));
    const error = await errorOf(read());
    expect(error).toMatchObject({ code: 'authentication-failed', message: 'No such token •••, •••' });
    expect(JSON.stringify([error.message, error.hint, String(error.cause)])).not.toContain(secret);
  });

  it('a small response that decompresses to a large one does not exhaust memory', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, '["'), { level: 9 });
    const before = process.memoryUsage().rss;
    for (const answers of [
      [runs, answer(bomb, { 'content-encoding': 'gzip' })],
      [answer(bomb, { 'content-encoding': 'gzip' }, 202)],
      [answer(bomb, { 'content-encoding': 'gzip' }, 422)],
    ]) {
      script(...answers);
      expect((await errorOf(read())).code).toMatch(/^(too-many-bytes|value-too-large|connection-.*)$/);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    script(runs, answer('x', { 'content-encoding': 'br' }));
    expect((await errorOf(read())).code).toBe('connection-failed');
  });

  it('a run ends at the time limit when the server stops responding, and an open statement is cancelled', async () => {
    for (const silent of [[undefined], [runs, undefined], [runs, runs, undefined]]) {
      script(...silent);
      service().ended.length = 0;
      expect((await errorOf(read(2_000))).code).toBe('timed-out');
      if (silent.length > 1)
        await expect.poll(() => service().ended).toEqual([`/api/v2/statements/${handle}/cancel`]);
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
  '"data":',
  '"rowCount":-1',
  'HTTP/1.1 302 F\r\n',
  '['.repeat(20_000),
  '9'.repeat(30_000),
];

const singlePart = answer(
  JSON.stringify({
    resultSetMetaData: { ...JSON.parse(result).resultSetMetaData, numRows: 2, partitionInfo: undefined },
    data: JSON.parse(result).data,
  }),
);
const failed = answer(
  JSON.stringify({
    code: '000904',
    sqlState: '42000',
    message: 'line 1 at position 3',
    statementHandle: handle,
  }),
  {},
  422,
);

/**
 * Returns a result in one answer, a failure, or the answers of a run in several parts. One of them is changed, and
 * the connection closes after it.
 */
function hostileScript(random: Random): Script {
  const kind = random(8);
  if (kind < 4) return [random(8) === 0 ? singlePart : mutatedAnswer(singlePart, random, nasty)];
  if (kind < 6) return [mutatedAnswer(failed, random, nasty)];
  const good = [runs, answer(result), answer(secondPart)];
  const at = random(4);
  const changed = good[at];
  return changed ? [...good.slice(0, at), mutatedAnswer(changed, random, nasty)] : good;
}

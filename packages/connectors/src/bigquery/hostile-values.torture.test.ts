import { describe, expect, it } from 'vitest';
import { answer } from '../testing/hostile-http.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import {
  good,
  goodText,
  query,
  type Script,
  single,
  unchanged,
  useHostileBigQuery,
} from './testing/hostile-service.ts';

const { execute, read, script } = useHostileBigQuery();

describe('values of a hostile BigQuery service', () => {
  it('texts and names are returned unchanged, with U+FFFD for bytes that are not valid UTF-8', async () => {
    for (const text of ['a\0b', '\ud800', '\udc00x', '\u202e', '<b>', '__proto__', '']) {
      script({ query: single([text]) });
      expect(await read()).toEqual([[text]]);
    }
    const [before = '', behind = ''] = goodText.split('"x"');
    const withText = (bytes: Buffer): Partial<Script> => ({
      query: unchanged(answer(Buffer.concat([Buffer.from(`${before}"`), bytes, Buffer.from(`"${behind}`)]))),
    });
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      script(withText(Buffer.from(bytes)));
      expect((await read())[0]).toEqual([1, '\ufffd'.repeat(bytes.length)]);
    }
    for (const wrong of ['\0', '\n', '\\', '\\u12', '\\x41']) {
      script(withText(Buffer.from(wrong)));
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
  });

  it('columns can have any name, and no name changes a prototype', async () => {
    const names = ['__proto__', 'constructor', 'toString', '', 'a', 'a', 'a\0', '\ud800', 'x'.repeat(1_000)];
    script({ query: single(names, names) });
    const result = await execute();
    expect(result.columns.map(({ name }) => name)).toEqual(names);
    expect(await rowsOf(result)).toEqual([names]);
    const fields = names.map((name) => ({ name, type: 'STRING' }));
    const nested = { schema: { fields: [{ name: 'n', type: 'STRUCT', fields }] }, pageToken: undefined };
    const row = { f: [{ v: { f: names.map((v) => ({ v })) } }] };
    script(query({ ...nested, totalRows: '1', rows: [row] }));
    const members = names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(name)}`);
    expect(await read()).toEqual([[`{${members.join(',')}}`]]);
    for (const at of ['__proto__', 'constructor']) {
      const polluted = { ...good.query, polluted: 'yes' };
      const body = JSON.stringify({ X: { ...polluted, prototype: polluted }, schema: { X: polluted } });
      script({ query: unchanged(answer(body.replaceAll('"X"', JSON.stringify(at)))) });
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
    expect(['polluted', ...Object.keys(good.query)].some((name) => name in {})).toBe(false);
  });

  it('a number is returned exactly as sent, or the run fails', async () => {
    const digits = '1234567890123456789012345678901234567890';
    const cellsOf = async (type: string, texts: readonly string[]) => {
      script({ query: single(texts, texts, type) });
      return (await read())[0];
    };
    const floats = ['1e-400', '1e400', '-1e400', '4.9e-324', '-0', '-0.0', '0E+5'];
    expect(await cellsOf('FLOAT', floats)).toEqual([...floats.slice(0, 3), 5e-324, -0, -0, 0]);
    const decimals = [digits, '0.1000000000000000000000000000000000000001', '-0', `0.${'0'.repeat(400)}1`];
    expect(await cellsOf('BIGNUMERIC', decimals)).toEqual([...decimals.slice(0, 2), 0, decimals[3]]);
    expect(await cellsOf('INTEGER', ['-0', '9007199254740993'])).toEqual([0, '9007199254740993']);
    for (const [type, text] of [
      ['INTEGER', digits],
      ['INTEGER', '1e5'],
      ['NUMERIC', '1e-400'],
      ['BIGNUMERIC', '1e400'],
    ] as const) {
      script({ query: single([text], ['a'], type) });
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
  });
});

import { describe, expect, it } from 'vitest';
import { answer } from '../testing/hostile-http.ts';
import { errorOf } from '../testing/results.ts';
import { opened, single, useHostileDatabricks } from './testing/hostile-service.ts';

const { script, read, readWithColumns } = useHostileDatabricks();

describe('values of a hostile Databricks server', () => {
  it('texts and names are returned unchanged, with U+FFFD for bytes that are not valid UTF-8', async () => {
    const texts = ['a\0b', '\ud800', '\udc00x', '\u202e', '<b>', '__proto__', ''];
    for (const text of texts) {
      script(opened, answer(single([text])));
      expect(await read()).toEqual([[text]]);
    }
    const [before, behind] = single(['HERE']).split('HERE');
    for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      script(
        opened,
        answer(Buffer.concat([Buffer.from(`${before}`), Buffer.from(bytes), Buffer.from(`${behind}`)])),
      );
      expect(await read()).toEqual([['\ufffd'.repeat(bytes.length)]]);
    }
    for (const wrong of ['\0', '\n', '\\', '\\u12', '\\x41']) {
      script(opened, answer(`${before}${wrong}${behind}`));
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
  });

  it('columns can have any name, and no name changes a prototype', async () => {
    const names = ['__proto__', 'constructor', 'toString', '', 'a', 'a', 'a\0', '\ud800', 'x'.repeat(10_000)];
    script(opened, answer(single(names, names)));
    const { columns, cells } = await readWithColumns();
    expect(columns).toEqual(names);
    expect(cells).toEqual([names]);
    const polluted = { polluted: 'yes', state: 'SUCCEEDED', columns: [] };
    for (const at of ['__proto__', 'constructor']) {
      const body = JSON.stringify({
        X: { ...polluted, prototype: polluted },
        status: { X: polluted, state: 'PENDING' },
      });
      script(opened, answer(body.replaceAll('"X"', JSON.stringify(at))));
      expect((await errorOf(read())).code).toBe('connection-lost');
    }
    expect(['polluted', 'state', 'columns'].some((name) => name in {})).toBe(false);
  });

  it('a number is returned exactly as sent', async () => {
    const digits = '1234567890123456789012345678901234567890';
    const cellsOf = async (type: string, texts: readonly string[]) => {
      script(opened, answer(single(texts, texts, type)));
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
    expect(await cellsOf('DECIMAL(38,10)', sent)).toEqual(exact);
    expect(await cellsOf('DOUBLE', ['1e-400', '1e400', '-1e400', '4.9e-324', '-0', '-0.0'])).toEqual([
      '1e-400',
      '1e400',
      '-1e400',
      5e-324,
      -0,
      -0,
    ]);
    expect(await cellsOf('BIGINT', [digits, '-0', '9007199254740993'])).toEqual([
      digits,
      0,
      '9007199254740993',
    ]);
  });
});

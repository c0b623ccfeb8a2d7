import { type RestAnswer, startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenSecret } from '../http/hidden-secret.ts';
import type { ExecuteOptions } from '../port.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createRestConnector } from './index.ts';
import type { RestConnection } from './settings.ts';

const connector = createRestConnector();
let api: TestRestApi;
beforeAll(async () => {
  api = await startRestApi(() => ({ body: [] }));
});
afterAll(() => api.stop());

const execute = (
  { columns, ...signIn }: Partial<RestConnection> & { readonly columns?: object } = {},
  change: Partial<ExecuteOptions> = {},
) =>
  connector.execute(
    connector.settings.parse({ baseUrl: api.baseUrl, endpoints: ['/orders'], ...signIn }),
    { sql: JSON.stringify({ path: '/orders', ...(columns && { columns }) }) },
    {
      dial: api.dial,
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      maxRows: 10_000,
      maxBytes: 20_000_000,
      maxCellBytes: 4_000_000,
      ...change,
    },
  );
/** Reads the rows of an answer. */
const read = async (answer: RestAnswer, ...call: Parameters<typeof execute>) => {
  api.answer(() => answer);
  return rowsOf(await execute(...call));
};

describe('a secret that the API repeats in a message', () => {
  const secret = '§ßÄÖÜ¿¡¬/§"ß';
  const { lengthMax } = hiddenSecret(secret);
  const tellsSecret = /[§ßÄÖÜ¿¡¬\ufffd]|u00|%C|&quot|YW5u/;

  it.each([{ auth: 'Bearer' }, { auth: 'ApiKeyInQuery' }, { auth: 'Basic', user: 'ann' }] as const)(
    'by $auth appears in no error even partially, wherever the message is truncated',
    async (auth) => {
      const message = async (answer: RestAnswer) =>
        (await errorOf(read({ status: 422, ...answer }, { ...auth, secret }))).message;
      for (const form of [
        secret,
        JSON.stringify(secret)
          .slice(1, -1)
          .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`),
        encodeURIComponent(secret),
        `api_key=${encodeURIComponent(secret)}`,
        ...(auth.auth === 'Basic' ? [Buffer.from(`ann:${secret}`).toString('base64')] : []),
      ])
        for (let startBytes = 0; startBytes <= Buffer.byteLength(form); startBytes += 3)
          for (const border of [65_536, 65_536 + lengthMax]) {
            const space = ' '.repeat(Math.max(0, border - startBytes - 'words '.length));
            for (const body of [`words ${space}${form} more`, `words ${space}"${form}"`])
              expect(await message({ body })).not.toMatch(tellsSecret);
          }
    },
  );

  it('appears in no error about a row', async () => {
    const signedIn = { auth: 'Bearer', secret } as const;
    const rows = (name: string, value: unknown) => [
      ...new Array(1_000).fill({ [name]: 1 }),
      { [name]: value },
    ];
    const typed = await errorOf(read({ body: rows(secret, 'x') }, signedIn));
    expect(typed.message).toContain('Row 1001 has a text in •••, which is read as');
    const more = [...new Array(1_000).fill({ a: 1 }), { a: 1, [secret]: 1 }];
    const unlike = await errorOf(read({ body: more }, signedIn));
    expect(unlike.message).toContain('Row 1001 has the member •••, unlike');
    const long = await errorOf(read({ body: rows(`${'x'.repeat(95)}${secret}`, 'x') }, signedIn));
    expect(long.message).not.toMatch(tellsSecret);
  });
});

describe('numbers of a REST response', () => {
  const near = `0.${'0'.repeat(399)}1`;
  const far = `1${'0'.repeat(400)}`;
  const body = (number: string) => ({ body: `[{"n":${number}}]` });

  it.each([
    ['1e-400', near],
    ['-1E-400', `-${near}`],
    ['1e400', far],
    ['-10.0e+399', `-${far}`],
    [near, near],
    [far, far],
    ['5e-324', `0.${'0'.repeat(323)}5`],
    ['1e-7', '0.0000001'],
    ['-0', 0],
    ['-0.0', 0],
    ['-0e10', 0],
    ['0e-400', 0],
    ['0.1', 0.1],
    ['0.12345678901234567', '0.12345678901234567'],
    ['9007199254740993', '9007199254740993'],
    ['12345678901234567.89', '12345678901234567.89'],
  ])('such as %s are exact, as a number or as text', async (number, cell) => {
    const [row] = await read(body(number));
    expect(row).toHaveLength(1);
    expect(row?.[0]).toBe(cell);
    const [texts] = await read(body(number), {
      columns: { json: { at: '/n', type: 'json' }, text: { at: '/n', type: 'text' } },
    });
    expect(texts).toEqual([number, number]);
  });

  it.each(['1e401', '-1e-401', '1e99999999999999999999'])(
    'with an exponent as large as in %s fail the run',
    async (number) => {
      expect((await errorOf(read(body(number)))).message).toBe(
        'Row 1 has a number with an exponent beyond 400 in n, which is read as json number: give the column its type in columns, such as {"at": "…", "type": "json"}.',
      );
    },
  );

  it('remain integers if their type is integer', async () => {
    const integers = { columns: { n: { at: '/n', type: 'integer' } } };
    expect(await read(body('-0'), integers)).toEqual([[0]]);
    expect(await read(body('9007199254740993'), integers)).toEqual([['9007199254740993']]);
    for (const number of ['1e3', '1.0', '1e-400', '1e400'])
      expect((await errorOf(read(body(number), integers))).message).toContain('has a number in n, which is');
  });

  it('are sent unchanged as a page cursor', async () => {
    const after: (string | null)[] = [];
    api.answer((url) => {
      after.push(url.searchParams.get('after'));
      const next = ['9007199254740993', '1e-400', '-0', 'null'][after.length - 1];
      return { body: `{"next":${next},"rows":[{"n":1}]}` };
    });
    const paged = await connector.execute(
      connector.settings.parse({ baseUrl: api.baseUrl, endpoints: ['/orders'] }),
      {
        sql: JSON.stringify({
          path: '/orders',
          rows: '/rows',
          query: { after: 0 },
          pages: { cursor: '/next', parameter: 'after' },
        }),
      },
      {
        dial: api.dial,
        signal: new AbortController().signal,
        timeoutMs: 10_000,
        maxRows: 10,
        maxBytes: 1_000_000,
        maxCellBytes: 10_000,
      },
    );
    expect(await rowsOf(paged)).toHaveLength(4);
    expect(after).toEqual(['0', '9007199254740993', '1e-400', '-0']);
  });
});

describe('unusual texts from a REST API', () => {
  const unusualNames = [
    '__proto__',
    'constructor',
    'toString',
    '',
    'a\0b',
    '\ud800',
    '\u202e',
    'é'.repeat(300),
  ];
  const members = unusualNames.map((name, at) => `${JSON.stringify(name)}:${at}`).join(',');

  it('are returned unchanged as column names', async () => {
    for (const signIn of [{}, { auth: 'ApiKeyInQuery', secret: 'pl4nted-s3cret-of-an-api' }] as const) {
      api.answer(() => ({ body: `[{${members}},{"__proto__":{"polluted":1}}]` }));
      const result = await execute(signIn);
      expect(result.columns.map(({ name }) => name)).toEqual(unusualNames);
      expect(await rowsOf(result)).toEqual([
        unusualNames.map((_, at) => (at === 0 ? '0' : at)),
        unusualNames.map((_, at) => (at === 0 ? '{"polluted":1}' : null)),
      ]);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('can be column names of a statement, which reads only own members of a row', async () => {
    const named = unusualNames.filter((name) => name !== '');
    const columns = {
      ...Object.fromEntries(named.map((name) => [name, '/a'])),
      inherited: '/__proto__/x',
      list: '/list/length',
      made: '/constructor',
      text: '/t/length',
    };
    const body = '[{"a":1,"list":[1],"t":"xyz"}]';
    expect(await read({ body }, { columns })).toEqual([[...named.map(() => 1), null, null, null, null]]);
  });

  it('are returned unchanged as values', async () => {
    const body = `[${unusualNames.map((text) => `{"a":${JSON.stringify(text)}}`).join(',')},{"a":"\u2028"}]`;
    expect(await read({ body })).toEqual([...unusualNames, '\u2028'].map((text) => [text]));
    const nested = '{"__proto__":{"polluted":1},"\\ud800":"\\u0000"}';
    expect(await read({ body: `[{"a":${nested}}]` })).toEqual([[nested]]);
    expect((await errorOf(read({ body: '[{"a":"\0"}]' }))).message).toBe('The API’s response is no JSON.');
  });

  it('have the last value of a member that a row contains twice', async () => {
    expect(await read({ body: '[{"a":1,"b":2,"a":3},{"a":{"x":1},"a":4}]' })).toEqual([
      [3, 2],
      [4, null],
    ]);
  });

  it('contain U+FFFD for bytes that are not valid UTF-8', async () => {
    const bytes = Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf0, 0x9f]);
    const around = (before: string, after: string) =>
      Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);
    const readable = '\ufffd\ufffd(\ufffd\ufffd\ufffd\ufffd';
    expect(await read({ body: around('[{"a":"x', '"}]') })).toEqual([[`x${readable}`]]);
    api.answer(() => ({ body: around('[{"', '":1}]') }));
    expect((await execute()).columns.map(({ name }) => name)).toEqual([readable]);
    for (const body of [
      around('', '[{"a":1}]'),
      around('[', '{"a":1}]'),
      Buffer.from('[{"a":1}]', 'utf16le'),
    ])
      expect(await errorOf(read({ body }))).toMatchObject({
        code: 'statement-failed',
        message: expect.stringMatching(/is no JSON|is no list and no object/),
      });
    expect((await errorOf(read({ status: 400, body: around('x', '') }))).message).toBe(
      `The API answers with status 400: x${readable}`,
    );
  });

  it('never appear unchanged in an error message', async () => {
    const text = `a\0b\r\n\tc\u202ed\x1b[31m ${'x'.repeat(486)}😀`;
    for (const body of [text, { message: text }])
      expect((await errorOf(read({ status: 400, body }))).message).toBe(
        `The API answers with status 400: a b c d [31m ${'x'.repeat(486)}\ufffd`,
      );
    const rows = [...new Array(1_000).fill('{"a":1}'), `{"a":1,"\\u0000b\\ud800${'x'.repeat(200)}":1}`];
    expect((await errorOf(read({ body: `[${rows}]` }))).message).toContain(
      `Row 1001 has the member b\ufffd${'x'.repeat(98)}, unlike`,
    );
  });
});

describe('rows of mixed forms', () => {
  it('are JSON in one column if some are objects, without loss', async () => {
    expect(await read({ body: '[1,{"a":2},null,[3.10],"x"]' })).toEqual([
      ['1'],
      ['{"a":2}'],
      [null],
      ['[3.10]'],
      ['"x"'],
    ]);
    expect(await read({ body: '[{"value":1},5]' })).toEqual([['{"value":1}'], ['5']]);
  });

  it('have NULL in each column if they are null among objects', async () => {
    expect(await read({ body: '[null,{"a":1},null]' })).toEqual([[null], [1], [null]]);
    expect(await read({ body: '[null,null]' })).toEqual([[null], [null]]);
  });

  it('fail the run if the first rows all had one form', async () => {
    const many = (row: string, last: string) => ({ body: `[${[...new Array(1_000).fill(row), last]}]` });
    expect((await errorOf(read(many('{"value":1}', '5')))).message).toContain(
      'Row 1001 has no members, unlike',
    );
    expect((await errorOf(read(many('5', '{"value":1}')))).message).toContain(
      'Row 1001 has an object in value',
    );
    expect((await read(many('{"value":1}', 'null'))).at(-1)).toEqual([null]);
  });
});

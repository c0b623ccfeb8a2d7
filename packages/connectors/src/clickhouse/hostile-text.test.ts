import { type RestAnswer, startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenSecret } from '../http/hidden-secret.ts';
import type { ExecuteOptions } from '../port.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createClickhouseConnector } from './index.ts';
import { rowFormat } from './session.ts';
import type { ClickhouseConnection } from './settings.ts';
import { grantWarnings } from './test-connection.ts';

const connector = createClickhouseConnector();
const profile = ['readonly', 'date_time_output_format']
  .map((name) => ({ name, value: '0', readonly: 0, server_version: '26.7.2.1', server_zone: 'UTC' }))
  .map((row) => JSON.stringify(row))
  .join('\n');
let server: TestRestApi;
beforeAll(async () => {
  server = await startRestApi(() => ({}));
});
afterAll(() => server.stop());

/** Answers to the query for the user's settings, and to the statement. */
type Said = { readonly settings?: RestAnswer; readonly rows?: RestAnswer };
const serverSays = ({ settings = { body: profile }, rows = {} }: Said): void =>
  server.answer((url) =>
    url.searchParams.get('default_format') === rowFormat
      ? { headers: { 'x-clickhouse-format': rowFormat }, ...rows }
      : settings,
  );

const connection = (change: Partial<ClickhouseConnection> = {}): ClickhouseConnection => ({
  host: 'rest.test',
  port: Number(new URL(server.baseUrl).port),
  database: 'shop',
  user: 'reader',
  password: '',
  tlsMode: 'Disable',
  ...change,
});
const options = (change: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
  dial: server.dial,
  signal: new AbortController().signal,
  timeoutMs: 10_000,
  maxRows: 10_000,
  maxBytes: 20_000_000,
  maxCellBytes: 4_000_000,
  ...change,
});
const execute = (change?: Partial<ExecuteOptions>) =>
  connector.execute(connection(), { sql: 'select 1' }, options(change));
const head = (columns: readonly (readonly [name: string, type: string])[]): string =>
  [0, 1].map((at) => `${JSON.stringify(columns.map((column) => column[at]))}\n`).join('');
const read = async (body: string | Buffer, change?: Partial<ExecuteOptions>) => {
  serverSays({ rows: { body } });
  return rowsOf(await execute(change));
};

describe('types and columns from a hostile ClickHouse server', () => {
  it('fail the run if a type is nested too deeply', async () => {
    for (const wrapper of ['Array', 'Nullable']) {
      const type = `${`${wrapper}(`.repeat(100_000)}UInt8${')'.repeat(100_000)}`;
      expect(await errorOf(read(`${head([['deep', type]])}[1]\n`))).toMatchObject({
        code: 'statement-failed',
        message: 'The type of the column deep is nested deeper than 200 levels.',
      });
    }
  });

  it('fail the run if the result has too many columns', async () => {
    const columns = Array.from({ length: 10_001 }, () => ['a', 'UInt8'] as const);
    expect(await errorOf(read(head(columns)))).toMatchObject({
      code: 'statement-failed',
      message: 'The result has more than 10,000 columns.',
    });
  });

  it('allocate little memory for rows that are too short to have a value for each column', async () => {
    const columns = Array.from({ length: 10_000 }, () => ['a', 'UInt8'] as const);
    const before = process.memoryUsage().rss;
    expect((await errorOf(read(`${head(columns)}${'[]\n'.repeat(5_000)}`))).code).toBe('connection-lost');
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    expect(await read(`${head(columns.slice(0, 2))}[1,2]\n[3,4]\n`)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('parse a grant with a million brackets', () => {
    const endless = `GRANT ${'('.repeat(1_000_000)} ON *.* TO x`;
    expect(grantWarnings([endless], { isReadOnly: false }).map(({ code }) => code)).toEqual(['may-write']);
  });
});

describe('a password that the server repeats in a message', () => {
  const password = 'pl4nted s3cret/+&"ä';
  const forms = [
    password,
    encodeURIComponent(password),
    JSON.stringify(password).slice(1, -1),
    Buffer.from(password).toString('base64'),
    Buffer.from(`reader:${password}`).toString('base64'),
  ];
  const tellsSecret = (error: object): boolean =>
    [...forms, 's3cret', 'pl4n'].some((part) => (String(error) + JSON.stringify(error)).includes(part));
  const refusal = async (answer: Said) => {
    serverSays(answer);
    const test = await connector.testConnection(connection({ password }), options());
    const statement = { sql: 'select nope' };
    const run = await errorOf(connector.execute(connection({ password }), statement, options()).then(rowsOf));
    return [run, ...(test.isOk ? [] : [test.error])];
  };
  const errorOfServer = (text: string) => `Code: 516. DB::Exception: ${text}. (AUTHENTICATION_FAILED)`;

  it.each(forms)('as %s appears in no error, at any stage of the run', async (form) => {
    const message = `reader: wrong password '${form}', ${form}`;
    const rows = `${head([['a', 'UInt8']])}[1]\n`;
    for (const answer of [
      { settings: { status: 403, body: errorOfServer(message) } },
      { settings: { status: 500, body: errorOfServer(message) } },
      { rows: { status: 500, body: errorOfServer(message) } },
      { rows: { body: errorOfServer(message) } },
      { rows: { body: `${rows}${errorOfServer(message)}\n` } },
      { rows: { body: `${rows}[2, "x${errorOfServer(message)}` } },
    ])
      for (const error of await refusal(answer)) {
        expect(error.message).toBe("reader: wrong password '•••', •••. (AUTHENTICATION_FAILED)");
        expect(tellsSecret(error)).toBe(false);
      }
    const type = `${'Array('.repeat(300)}UInt8${')'.repeat(300)}`;
    for (const error of await refusal({ rows: { body: head([[form, type]]) } }))
      expect(error.message).toBe('The type of the column ••• is nested deeper than 200 levels.');
  });

  it('appears in no error even partially, wherever the message is truncated', async () => {
    const key = '§ßÄÖÜ¿¡¬';
    const start = 'Code: 516. DB::Exception: ';
    const { lengthMax } = hiddenSecret(key);
    const refusal = async (answer: Said) => {
      serverSays(answer);
      const run = connector.execute(connection({ password: key }), { sql: 'select 1' }, options());
      return (await errorOf(run.then(rowsOf))).message;
    };
    for (let startBytes = 1; startBytes <= Buffer.byteLength(key); startBytes++) {
      for (const border of [2_000, 65_536, 65_536 + lengthMax, 131_072]) {
        const space = (length: number): string => ' '.repeat(border - startBytes - length);
        for (const answer of [
          { settings: { status: 500, body: `${space(start.length)}${start}${key} and more` } },
          { rows: { status: 500, body: `${start}${space(start.length)}${key} and more` } },
          { rows: { body: `${start}${space(0)}${key} and more` } },
          { rows: { status: 500, body: `${start}${space(0).replaceAll(' ', 'x')}${key} and more` } },
        ])
          expect(await refusal(answer)).not.toMatch(/[§ßÄÖÜ¿¡¬\ufffd]/);
      }
    }
  });
});

describe('unusual texts from a ClickHouse server', () => {
  const unusualNames = [
    '__proto__',
    'constructor',
    'toString',
    '',
    '',
    'a\0b',
    '\ud800',
    '\u202e',
    'é'.repeat(300),
  ];

  it('are returned unchanged as column names, also if they repeat', async () => {
    serverSays({
      rows: {
        body: `${head(unusualNames.map((name) => [name, 'UInt8']))}[${unusualNames.map((_, at) => at)}]\n`,
      },
    });
    const result = await execute();
    expect(result.columns.map(({ name }) => name)).toEqual(unusualNames);
    expect(await rowsOf(result)).toEqual([unusualNames.map((_, at) => at)]);
  });

  it('as column types result in the kind other', async () => {
    const body = `${head(unusualNames.map((type) => ['a', type]))}[${unusualNames.map(() => '1')}]\n`;
    serverSays({ rows: { body } });
    const result = await execute();
    expect(new Set(result.columns.map(({ kind }) => kind))).toEqual(new Set(['other']));
    expect(await rowsOf(result)).toEqual([unusualNames.map(() => '1')]);
  });

  it('are returned unchanged as values', async () => {
    const rows = unusualNames.map((text) => `[${JSON.stringify(text)}]\n`).join('');
    expect(await read(`${head([['a', 'String']])}${rows}["\0"]\n["\u2028"]\n`)).toEqual(
      [...unusualNames, '\0', '\u2028'].map((text) => [text]),
    );
    const nested = '{"__proto__":{"polluted":1},"\\ud800":"\\u0000"}';
    expect(await read(`${head([['a', 'JSON']])}[${nested}]\n`)).toEqual([[nested]]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('have U+FFFD in place of invalid UTF-8', async () => {
    const bytes = [0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf0, 0x9f];
    const body = Buffer.concat([
      Buffer.from(`${head([['a', 'String']])}["x`),
      Buffer.from(bytes),
      Buffer.from('"]\n'),
    ]);
    expect(await read(body)).toEqual([['x\ufffd\ufffd(\ufffd\ufffd\ufffd\ufffd']]);
    serverSays({
      rows: {
        status: 500,
        body: Buffer.concat([Buffer.from('Code: 62. DB::Exception: x'), Buffer.from(bytes)]),
      },
    });
    expect((await errorOf(execute())).message).toBe('x\ufffd\ufffd(\ufffd\ufffd\ufffd\ufffd');
  });

  it('never appear unchanged in an error message', async () => {
    const text = `a\0b\r\n\tc\u202ed\x1b[31m ${'x'.repeat(1_988)}😀 (version 1)`;
    serverSays({ rows: { status: 500, body: `Code: 62. DB::Exception: ${text}` } });
    expect((await errorOf(execute())).message).toBe(`a b c d [31m ${'x'.repeat(1_987)}`);
    const type = `${'Array('.repeat(300)}UInt8${')'.repeat(300)}`;
    expect((await errorOf(read(head([[`\0a\ud800${'x'.repeat(200)}`, type]])))).message).toBe(
      `The type of the column a\ufffd${'x'.repeat(98)} is nested deeper than 200 levels.`,
    );
  });

  it.each([
    [
      'deeply nested lists as a name',
      `{"server_version":"26.7","name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    ],
    ['objects instead of text', '{"server_version":"26.7","name":{"toString":1},"value":{"toString":1}}'],
    [
      'an object as the read-only flag',
      '{"server_version":"26.7","name":"x","readonly":{"valueOf":1,"toString":1}}',
    ],
    [
      'an object as the time zone',
      '{"server_version":"26.7","name":"x","value":"0","server_zone":{"toString":1}}',
    ],
    ['an invalid version', '{"server_version":"pl4nted","name":"readonly","value":"0"}'],
    [
      'a version of 10,000 characters',
      `{"server_version":"26.7${'x'.repeat(10_000)}","name":"readonly","value":"0"}`,
    ],
    ['an object as the version', '{"server_version":{"toString":1},"name":"readonly","value":"0"}'],
    [
      'a member with the name of the prototype',
      '{"__proto__":{"server_version":"26.7","name":"readonly","value":"0"}}',
    ],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0, 0])],
  ])('in the settings response are reported as not from a ClickHouse server: %s', async (_name, body) => {
    serverSays({ settings: { body } });
    expect(await errorOf(execute())).toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining('is no ClickHouse server'),
    });
  });
});

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
  .map((name) => ({ ...{ name, value: '0', readonly: 0 }, server_version: '26.7.2.1', server_zone: 'UTC' }))
  .map((row) => JSON.stringify(row))
  .join('\n');
let server: TestRestApi;
beforeAll(async () => {
  server = await startRestApi(() => ({}));
});
afterAll(() => server.stop());

/** What the server says to the question for the user's settings, and to the statement. */
type Said = { readonly settings?: RestAnswer; readonly rows?: RestAnswer };
const serverSays = ({ settings = { body: profile }, rows = {} }: Said): void =>
  server.answer((url) =>
    url.searchParams.get('default_format') === rowFormat
      ? { headers: { 'x-clickhouse-format': rowFormat }, ...rows }
      : settings,
  );

const connection = (change: Partial<ClickhouseConnection> = {}): ClickhouseConnection => ({
  ...{ host: 'rest.test', port: Number(new URL(server.baseUrl).port), database: 'shop', user: 'reader' },
  ...{ password: '', tlsMode: 'Disable' },
  ...change,
});
const options = (change: Partial<ExecuteOptions> = {}): ExecuteOptions => ({
  ...{ dial: server.dial, signal: new AbortController().signal, timeoutMs: 10_000 },
  ...{ maxRows: 10_000, maxBytes: 20_000_000, maxCellBytes: 4_000_000 },
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

describe('types and columns of a server that is not to be trusted', () => {
  it('fail the run where a type is nested without end', async () => {
    for (const wrapper of ['Array', 'Nullable']) {
      const type = `${`${wrapper}(`.repeat(100_000)}UInt8${')'.repeat(100_000)}`;
      expect(await errorOf(read(`${head([['deep', type]])}[1]\n`))).toMatchObject({
        code: 'statement-failed',
        message: 'The type of the column deep is nested deeper than 200 levels.',
      });
    }
  });

  it('fail the run where there are more columns than a result may have', async () => {
    const columns = Array.from({ length: 10_001 }, () => ['a', 'UInt8'] as const);
    expect(await errorOf(read(head(columns)))).toMatchObject({
      code: 'statement-failed',
      message: 'The result has more than 10,000 columns.',
    });
  });

  it('make no room for rows that are too short to have a value for each column', async () => {
    const columns = Array.from({ length: 10_000 }, () => ['a', 'UInt8'] as const);
    const before = process.memoryUsage().rss;
    expect((await errorOf(read(`${head(columns)}${'[]\n'.repeat(5_000)}`))).code).toBe('connection-lost');
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    expect(await read(`${head(columns.slice(0, 2))}[1,2]\n[3,4]\n`)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('read grants in one pass', () => {
    const endless = `GRANT ${'('.repeat(1_000_000)} ON *.* TO x`;
    expect(grantWarnings([endless], { isReadOnly: false }).map(({ code }) => code)).toEqual(['may-write']);
  });
});

describe('a password that the server repeats', () => {
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
  const refusal = async (said: Said) => {
    serverSays(said);
    const test = await connector.testConnection(connection({ password }), options());
    const statement = { sql: 'select nope' };
    const run = await errorOf(connector.execute(connection({ password }), statement, options()).then(rowsOf));
    return [run, ...(test.isOk ? [] : [test.error])];
  };
  const errorOfServer = (words: string) => `Code: 516. DB::Exception: ${words}. (AUTHENTICATION_FAILED)`;

  it.each(forms)('as %s is in no error, whenever it comes', async (form) => {
    const words = `reader: wrong password '${form}', ${form}`;
    const rows = `${head([['a', 'UInt8']])}[1]\n`;
    for (const said of [
      { settings: { status: 403, body: errorOfServer(words) } },
      { settings: { status: 500, body: errorOfServer(words) } },
      { rows: { status: 500, body: errorOfServer(words) } },
      { rows: { body: errorOfServer(words) } },
      { rows: { body: `${rows}${errorOfServer(words)}\n` } },
      { rows: { body: `${rows}[2, "x${errorOfServer(words)}` } },
    ])
      for (const error of await refusal(said)) {
        expect(error.message).toBe("reader: wrong password '•••', •••. (AUTHENTICATION_FAILED)");
        expect(tellsSecret(error)).toBe(false);
      }
    const type = `${'Array('.repeat(300)}UInt8${')'.repeat(300)}`;
    for (const error of await refusal({ rows: { body: head([[form, type]]) } }))
      expect(error.message).toBe('The type of the column ••• is nested deeper than 200 levels.');
  });

  it('is in no error in part, wherever the words are cut', async () => {
    const key = '§ßÄÖÜ¿¡¬';
    const start = 'Code: 516. DB::Exception: ';
    const { lengthMax } = hiddenSecret(key);
    const refusal = async (said: Said) => {
      serverSays(said);
      const run = connector.execute(connection({ password: key }), { sql: 'select 1' }, options());
      return (await errorOf(run.then(rowsOf))).message;
    };
    for (let known = 1; known <= Buffer.byteLength(key); known++) {
      for (const border of [2_000, 65_536, 65_536 + lengthMax, 131_072]) {
        const space = (length: number): string => ' '.repeat(border - known - length);
        for (const said of [
          { settings: { status: 500, body: `${space(start.length)}${start}${key} and more` } },
          { rows: { status: 500, body: `${start}${space(start.length)}${key} and more` } },
          { rows: { body: `${start}${space(0)}${key} and more` } },
          { rows: { status: 500, body: `${start}${space(0).replaceAll(' ', 'x')}${key} and more` } },
        ])
          expect(await refusal(said)).not.toMatch(/[§ßÄÖÜ¿¡¬\ufffd]/);
      }
    }
  });
});

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createMessageReader, messageType, packetsOf } from '@svc/testkit/database/tds/packets.ts';
import { encryption, preloginAnswer } from '@svc/testkit/database/tds/requests.ts';
import {
  columnsToken,
  databaseChange,
  done,
  doneStatus,
  errorToken,
  loginAcknowledged,
  returnStatus,
  rowToken,
  token,
  transactionBegun,
} from '@svc/testkit/database/tds/tokens.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../port.ts';
import { itSurvivesMalformedResponses, mutatedBytes, type Random } from '../testing/hostile-answers.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { createSqlserverConnector } from './index.ts';
import type { SqlserverConnection } from './settings.ts';

const connector = createSqlserverConnector();
/** Answers to the messages of one connection, in order; then it closes. Undefined: the server stays silent. */
type Script = readonly (Buffer | undefined)[];
let script: Script = [];
let scripts: (() => Script) | undefined;
let server: Server;
let answersAttentions = true;
/** Socket of the latest connection, and the time of the end of each one. */
let latest: Socket;
const closedAt = new WeakMap<Socket, number>();

beforeAll(async () => {
  server = createServer((socket: Socket) => {
    const answers = scripts?.() ?? script;
    const read = createMessageReader();
    let at = 0;
    socket.on('error', () => undefined);
    latest = socket;
    socket.on('close', () => closedAt.set(socket, performance.now()));
    socket.on('data', (chunk: Buffer) => {
      for (const { type } of read(chunk)) {
        const isAttention = type === messageType.attention;
        const answer = isAttention ? answerToAttention() : answers[at++];
        if (answer) socket.write(answer);
        if (at >= answers.length && answer) socket.end();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

const dial: ExecuteOptions['dial'] = async () => {
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  await once(socket, 'connect');
  return socket;
};
const password = 'pl4nted-s3cret';
const connection: SqlserverConnection = {
  host: 'hostile.test',
  port: 1433,
  database: 'shop',
  user: 'reader',
  password,
  tlsMode: 'Disable',
};
const execute = (change: Partial<ExecuteOptions> = {}) =>
  connector.execute(
    connection,
    { sql: 'select a, b, c from t' },
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

const answer = (...tokens: Buffer[]): Buffer => packetsOf(messageType.answer, Buffer.concat(tokens));
const ended = done(token.done, doneStatus.final);
const attentionAnswer = answer(done(token.done, doneStatus.attention));
const answerToAttention = (): Buffer | undefined => (answersAttentions ? attentionAnswer : undefined);
const greeting = answer(preloginAnswer(encryption.notSupported));
const welcome = answer(databaseChange('shop'), loginAcknowledged(), ended);
const settings = answer(ended);
const begun = answer(transactionBegun(1n), ended);
const inProcedure = (...tokens: Buffer[]): Buffer =>
  answer(
    ...tokens,
    done(token.doneInProcedure, doneStatus.count | doneStatus.more, 2),
    returnStatus(),
    done(token.doneProcedure, doneStatus.final),
  );
const loginColumns = [
  { name: 'kind', type: 'nvarchar' },
  { name: 'name', type: 'nvarchar' },
];
const login = inProcedure(columnsToken(loginColumns), rowToken(loginColumns, ['version', '16.0.1']));
const columns = [
  { name: 'a', type: 'bigint' },
  { name: 'b', type: 'decimal(38,10)' },
  { name: 'c', type: 'nvarchar' },
];
const rows = inProcedure(
  columnsToken(columns),
  rowToken(columns, [1n, '2.5', 'x']),
  rowToken(columns, [2n, null, 'y']),
);
const begin: Script = [greeting, welcome, settings, begun, login];

describe('hostile SQL Server', () => {
  it('a valid response is read', async () => {
    script = [...begin, rows, settings];
    expect(await rowsOf(await execute())).toEqual([
      [1, 2.5, 'x'],
      [2, null, 'y'],
    ]);
  });

  it('a server with another protocol is refused with an error', async () => {
    script = [Buffer.from('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')];
    expect(await errorOf(execute())).toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining('no Microsoft SQL server'),
    });
    script = [Buffer.alloc(2_000_000, 4)];
    expect((await errorOf(execute())).code).toBe('connection-lost');
  });

  it('a response without the rights of the login, or without columns for a read, fails the run', async () => {
    script = [greeting, welcome, settings, begun, inProcedure(), settings];
    expect((await errorOf(execute())).code).toBe('permission-denied');
    script = [...begin, inProcedure(), settings];
    expect((await errorOf(execute())).code).toBe('not-a-read');
  });

  it('an error after rows, or a truncated response, fails the run', async () => {
    const errorBytes = errorToken({ number: 8_134, message: 'Divide by zero error encountered.' });
    const row = rowToken(columns, [1n, '2.5', 'x']);
    script = [...begin, inProcedure(columnsToken(columns), row, errorBytes)];
    expect(await errorOf(execute().then(rowsOf))).toMatchObject({
      code: 'statement-failed',
      message: 'Divide by zero error encountered.',
    });
    script = [...begin, rows.subarray(0, -20)];
    expect((await errorOf(execute().then(rowsOf))).code).toBe('connection-lost');
    script = [...begin, answer(columnsToken(columns), row.subarray(0, -3))];
    expect((await errorOf(execute().then(rowsOf))).code).toBe('connection-lost');
  });

  it('a run ends at the time limit when the server stops responding', async () => {
    for (let answered = 0; answered <= begin.length; answered++) {
      script = [...begin.slice(0, answered), undefined];
      expect((await errorOf(execute({ timeoutMs: 300 }).then(rowsOf))).code).toBe('timed-out');
    }
  });

  it('a connection without a reply to a cancellation closes after five seconds, and the run does not wait for it', async () => {
    script = [...begin, undefined];
    answersAttentions = false;
    const startedAt = performance.now();
    expect((await errorOf(execute({ timeoutMs: 2_000 }))).code).toBe('timed-out');
    expect(closedAt.get(latest)).toBeUndefined();
    await expect.poll(() => closedAt.get(latest)).toBeDefined();
    answersAttentions = true;
    expect((closedAt.get(latest) ?? 0) - startedAt).toBeGreaterThan(6_500);
  });

  itSurvivesMalformedResponses({
    begin: (random) => {
      scripts = () => hostileScript(random);
    },
    read: () => execute({ timeoutMs: 60_000 }).then(rowsOf),
    secret: password,
    expected: ['2 rows', 'connection-lost', 'value-too-large', 'statement-failed', 'tls-failed'],
  });
});

const nasty = [
  Buffer.from([0x81, 0xff, 0xff]),
  Buffer.from([0xd1, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from([0xd2, 0]),
  Buffer.from([0xaa, 0xff, 0xff]),
  Buffer.from([0xe3, 0, 0]),
  Buffer.from([0xed, 1, 0, 0]),
  Buffer.from([0xee, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from([0xac, 0, 0]),
  Buffer.from([0x04, 0x01, 0, 8, 0, 0, 1, 0]),
  Buffer.from([0x04, 0x01, 0, 3]),
  done(token.done, doneStatus.error),
  done(token.done, doneStatus.attention),
  errorToken({ number: 18_456, message: 'Login failed.' }),
  Buffer.alloc(20_000, 0xff),
];

/** Returns the valid answers with a change in one of them, after which the connection closes. */
function hostileScript(random: Random): Script {
  const good = [...begin, rows];
  const which = random(good.length + 2);
  if (which > good.length) return [...good, settings];
  const changed = mutatedBytes(good[Math.min(which, good.length - 1)] ?? rows, random, nasty);
  return [...good.slice(0, Math.min(which, good.length - 1)), changed];
}

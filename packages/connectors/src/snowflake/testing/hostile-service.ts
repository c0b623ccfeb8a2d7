import { afterAll, beforeAll } from 'vitest';
import { answer, type HostileService, startHostileService } from '../../testing/hostile-http.ts';
import { readAll } from '../answer/read.ts';
import { createSnowflakeConnector } from '../index.ts';
import { openSession } from '../session.ts';
import type { SnowflakeConnection } from '../settings.ts';

const host = 'hostile.snowflake.test';
export const secret = 'pl4nted-s3cret';
const limits = { maxRows: 1_000, maxBytes: 100_000, maxCellBytes: 2_000 };

export const handle = 'e4ce975e-f7ff-4b5e-b15e-bf25f59371ae';
export const status = JSON.stringify({ statementHandle: handle, statementStatusUrl: 'https://x.test/' });
export const runs = answer(status, {}, 202);
export const result = JSON.stringify({
  resultSetMetaData: {
    numRows: 3,
    format: 'jsonv2',
    rowType: [
      { name: 'A', type: 'fixed', precision: 38, scale: 0, nullable: true },
      { name: 'B', type: 'text', nullable: true },
      { name: 'C', type: 'timestamp_tz', scale: 9, nullable: true },
    ],
    partitionInfo: [
      { rowCount: 2, uncompressedSize: 20 },
      { rowCount: 1, uncompressedSize: 10 },
    ],
  },
  data: [
    ['18446744073709551615', 'x\n', '0.500000000 1500'],
    ['-1', null, null],
  ],
  statementHandle: handle,
});
export const secondPart = '{"data": [["2", "y", "1700000000.000000001 1440"]]}';
export const rows = [
  ['18446744073709551615', 'x\n', '1970-01-01T00:00:00.500Z'],
  [-1, null, null],
  [2, 'y', '2023-11-14T22:13:20.000000001Z'],
];
/** Result with one row. */
export const single = (
  values: readonly string[],
  names: readonly string[] = values.map((_value, at) => `C${at}`),
  type: object = { type: 'text' },
): string =>
  JSON.stringify({
    resultSetMetaData: { numRows: 1, rowType: names.map((name) => ({ name, ...type })) },
    data: [values],
  });

/** Starts a server with scripted answers in place of Snowflake, for the tests of a file. */
export function useHostileSnowflake() {
  const connector = createSnowflakeConnector();
  let service: HostileService;
  let connection: SnowflakeConnection;

  beforeAll(async () => {
    service = await startHostileService(host, /^POST (\S+\/cancel) /);
    connection = connector.settings.parse({
      host,
      caCertificate: service.certificate,
      user: 'svc',
      signIn: 'AccessToken',
      accessToken: secret,
      role: 'reader',
      warehouse: 'work',
      database: 'shop',
    });
  });
  afterAll(() => service.stop());

  const script: HostileService['script'] = (...answers) => service.script(...answers);

  /** Runs one statement, without the usual checks before it. */
  const read = async (timeoutMs = 3_000): Promise<readonly (readonly unknown[])[]> =>
    (await readWithNames(timeoutMs)).rows;

  async function readWithNames(timeoutMs = 3_000): ReturnType<typeof readAll> {
    const signal = new AbortController().signal;
    const session = await openSession(connection, { dial: service.dial, signal, timeoutMs });
    try {
      const sent = { sql: 'select 1', linesBefore: 0 };
      const read = await readAll(session, { sql: 'select 1', sent }, limits);
      await session.finish();
      return read;
    } catch (error) {
      const explained = session.explain(error);
      void session.abandon();
      throw explained;
    }
  }

  return { service: () => service, connection: () => connection, script, read, readWithNames };
}

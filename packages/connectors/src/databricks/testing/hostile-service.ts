import { afterAll, beforeAll } from 'vitest';
import { answer, type HostileService, startHostileService } from '../../testing/hostile-http.ts';
import { rowsOf } from '../../testing/results.ts';
import { readAll, startRead } from '../answer/read.ts';
import { createDatabricksConnector } from '../index.ts';
import { openSession } from '../session.ts';
import type { DatabricksConnection } from '../settings.ts';
import { createTokens } from '../tokens.ts';

const host = 'hostile.databricks.test';
export const secret = 'pl4nted-s3cret';
const limits = { maxRows: 1_000, maxBytes: 100_000, maxCellBytes: 2_000 };

export const session = '01f00f40-d2dd-1466-a6f5-9ab2bf95f08c';
export const id = '01ee4b3f-4f56-1648-825a-c261d31be5f1';
export const opened = answer(JSON.stringify({ session_id: session }));
export const runs = answer(JSON.stringify({ statement_id: id, status: { state: 'PENDING' } }));
export const result = JSON.stringify({
  statement_id: id,
  status: { state: 'SUCCEEDED' },
  manifest: {
    format: 'JSON_ARRAY',
    total_chunk_count: 2,
    total_row_count: 3,
    truncated: false,
    schema: {
      column_count: 3,
      columns: [
        { name: 'a', type_text: 'DECIMAL(38,0)', type_name: 'DECIMAL', position: 0 },
        { name: 'b', type_text: 'STRING', type_name: 'STRING', position: 1 },
        { name: 'c', type_text: 'TIMESTAMP', type_name: 'TIMESTAMP', position: 2 },
      ],
    },
    chunks: [
      { chunk_index: 0, row_offset: 0, row_count: 2 },
      { chunk_index: 1, row_offset: 2, row_count: 1 },
    ],
  },
  result: {
    chunk_index: 0,
    row_offset: 0,
    row_count: 2,
    next_chunk_index: 1,
    next_chunk_internal_link: 'https://x.test/',
    data_array: [
      ['18446744073709551615', 'x\n', '1970-01-01T01:00:00.500+01:00'],
      ['-1', null, null],
    ],
  },
});
export const secondChunk = '{"chunk_index":1,"data_array":[["2","y","2023-11-14T22:13:20.000001Z"]]}';
export const rows = [
  ['18446744073709551615', 'x\n', '1970-01-01T00:00:00.500Z'],
  [-1, null, null],
  [2, 'y', '2023-11-14T22:13:20.000001Z'],
];
/** Result with one row. */
export const single = (
  values: readonly string[],
  names: readonly string[] = values.map((_value, at) => `c${at}`),
  type = 'STRING',
): string => {
  const columns = names.map((name) => ({ name, type_text: type }));
  return JSON.stringify({
    statement_id: id,
    status: { state: 'SUCCEEDED' },
    result: { data_array: [values] },
    manifest: { schema: { columns }, total_chunk_count: 1, total_row_count: 1 },
  });
};

/** Starts a server with scripted answers in place of Databricks, for the tests of a file. */
export function useHostileDatabricks() {
  const connector = createDatabricksConnector();
  let service: HostileService;
  let connection: DatabricksConnection;

  beforeAll(async () => {
    service = await startHostileService(host, /^(POST \S+\/cancel|DELETE \S+) /);
    connection = connector.settings.parse({
      host,
      caCertificate: service.certificate,
      warehouseId: 'abc',
      catalog: 'shop',
      signIn: 'AccessToken',
      accessToken: secret,
    });
  });
  afterAll(() => service.stop());

  const script: HostileService['script'] = (...answers) => service.script(...answers);

  /** Runs one statement, without the usual checks before it. */
  async function read(timeoutMs = 3_000, login = connection): Promise<readonly (readonly unknown[])[]> {
    const signal = new AbortController().signal;
    const session = await openSession(login, createTokens(), { dial: service.dial, signal, timeoutMs });
    try {
      const sent = { sql: 'select 1', linesBefore: 0 };
      const rows = await readAll(session, { sql: 'select 1', sent }, limits);
      await session.finish();
      return rows;
    } catch (error) {
      const explained = session.explain(error);
      void session.abandon();
      throw explained;
    }
  }

  /** Same as `read`, with the names of the columns. */
  async function readWithColumns() {
    const signal = new AbortController().signal;
    const session = await openSession(connection, createTokens(), {
      dial: service.dial,
      signal,
      timeoutMs: 3_000,
    });
    const wide = { ...limits, maxCellBytes: 20_000 };
    const { columns, batches } = await startRead(session, { sql: 'select 1' }, wide);
    return { columns: columns.map(({ name }) => name), cells: await rowsOf({ batches }) };
  }

  return { service: () => service, connection: () => connection, script, read, readWithColumns };
}

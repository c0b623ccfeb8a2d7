import { isResult, type TestAnswer, type TestResult } from './results.ts';

/** Parameters of a submitted statement. */
export type StatementRequest = {
  readonly statement: string;
  readonly warehouse_id: string;
  readonly session_id: string;
  readonly row_limit: number;
  readonly byte_limit: number;
  readonly parameters?: readonly {
    readonly name: string;
    readonly type: string;
    readonly value?: string;
  }[];
};

/** Submitted statement that has not ended, or whose result can still be read. */
export type Running = {
  readonly answer: TestAnswer;
  readonly request: StatementRequest;
  /** Number of polls that still report a running statement. */
  polls: number;
  isCancelled: boolean;
};

export type Reply = { readonly status: number; readonly body: unknown };

export const refusal = (status: number, code: string, message: string): Reply => ({
  status,
  body: { error_code: code, message },
});

/** Returns the state of a statement, with its first chunk once it has succeeded. Each call counts as a poll. */
export function stateOf(statement_id: string, statement: Running): Reply {
  const { answer } = statement;
  const reply = (status: object, others: object = {}): Reply => ({
    status: 200,
    body: { statement_id, status, ...others },
  });
  if (statement.isCancelled) return reply({ state: 'CANCELED' });
  if (answer === 'endless' || statement.polls > 0) {
    statement.polls--;
    return reply({ state: 'RUNNING' });
  }
  if (!isResult(answer)) {
    const { message, sqlState } = answer;
    const state = { state: 'FAILED', error: { error_code: 'BAD_REQUEST', message } };
    return reply({ ...state, ...(sqlState !== undefined && { sql_state: sqlState }) });
  }
  const cut = cutBy(answer, statement.request);
  return reply(
    { state: 'SUCCEEDED' },
    { manifest: manifestOf(answer, cut), result: dataOf(statement_id, cut, 0) },
  );
}

type Cut = { readonly chunks: readonly TestResult['rows'][]; readonly isTruncated: boolean };

/** Applies the limits of a request and splits the remaining rows into chunks. */
function cutBy(
  { rows, chunkRows = [rows.length] }: TestResult,
  { row_limit, byte_limit }: StatementRequest,
): Cut {
  const remaining: (typeof rows)[number][] = [];
  let bytes = 0;
  for (const row of rows.slice(0, row_limit)) {
    bytes += JSON.stringify(row).length;
    if (bytes > byte_limit) break;
    remaining.push(row);
  }
  const chunks = chunkRows.map((count, at) => {
    const from = chunkRows.slice(0, at).reduce((sum, rowsBefore) => sum + rowsBefore, 0);
    return remaining.slice(from, from + count);
  });
  return {
    chunks: chunks.filter((chunk) => chunk.length > 0),
    isTruncated: remaining.length < rows.length,
  };
}

const namesOfTypes: readonly (readonly [name: string, types: RegExp])[] = [
  ['LONG', /^BIGINT/],
  ['INT', /^INT$/],
  ['BYTE', /^TINYINT/],
  ['SHORT', /^SMALLINT/],
  ['DECIMAL', /^DECIMAL/],
  ['TIMESTAMP', /^TIMESTAMP/],
  ['INTERVAL', /^INTERVAL/],
  ['NULL', /^VOID/],
  ['STRING', /^(VARCHAR|VARIANT|GEO)/],
];

function manifestOf({ columns }: TestResult, { chunks, isTruncated }: Cut) {
  let row_offset = 0;
  return {
    format: 'JSON_ARRAY',
    total_chunk_count: chunks.length,
    truncated: isTruncated,
    schema: {
      column_count: columns.length,
      columns: columns.map(({ name, type }, position) => ({
        name,
        type_text: type,
        position,
        type_name: namesOfTypes.find(([, types]) => types.test(type))?.[0] ?? type.replace(/[^A-Z].*$/, ''),
      })),
    },
    chunks: chunks.map((rows, chunk_index) => {
      const chunk = { chunk_index, row_offset, row_count: rows.length };
      row_offset += rows.length;
      return chunk;
    }),
    total_row_count: chunks.reduce((sum, rows) => sum + rows.length, 0),
  };
}

/** Returns the data of a chunk. The link names a foreign host: clients must not follow it. */
function dataOf(id: string, { chunks }: Cut, index: number) {
  const rows = chunks[index];
  if (!rows) return {};
  const isLast = index === chunks.length - 1;
  return {
    chunk_index: index,
    row_count: rows.length,
    row_offset: chunks.slice(0, index).reduce((sum, chunk) => sum + chunk.length, 0),
    data_array: rows,
    ...(!isLast && {
      next_chunk_index: index + 1,
      next_chunk_internal_link: `https://elsewhere.test/api/2.0/sql/statements/${id}/result/chunks/9`,
    }),
  };
}

/** Returns a later chunk of a statement's result. */
export function chunkOf(id: string, { answer, request }: Running, index: number): Reply {
  const cut = isResult(answer) ? cutBy(answer, request) : undefined;
  if (!cut?.chunks[index]) return refusal(404, 'NOT_FOUND', `The chunk ${index} was not found.`);
  return { status: 200, body: dataOf(id, cut, index) };
}

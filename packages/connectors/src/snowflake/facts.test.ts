import { answerFaults, requestFaults, type SeenRequest } from '@svc/testkit/database/snowflake/facts.ts';
import { describe, expect, it } from 'vitest';

const handle = 'e4ce975e-f7ff-4b5e-b15e-bf25f59371ae';
const submission = {
  statement: 'select 1',
  timeout: 9,
  role: 'R',
  warehouse: 'W',
  database: 'D',
  schema: 'S',
  parameters: { multi_statement_count: 1, timezone: 'UTC' },
  bindings: { 1: { type: 'TEXT', value: null } },
};
const request = (change: Partial<SeenRequest> & { path?: string; json?: object } = {}): SeenRequest => ({
  method: 'POST',
  url: new URL(
    change.path ?? `/api/v2/statements?requestId=${handle}&async=true&nullable=true`,
    'https://x.test',
  ),
  headers: {
    authorization: 'Bearer x',
    'x-snowflake-authorization-token-type': 'KEYPAIR_JWT',
    'user-agent': 'Svc/1.0',
    'content-type': 'application/json',
  },
  body: JSON.stringify(change.json ?? submission),
  ...change,
});
const result = {
  resultSetMetaData: {
    format: 'jsonv2',
    numRows: 1,
    partitionInfo: [{ rowCount: 1, uncompressedSize: 1 }],
    rowType: [{ name: 'A', type: 'text', nullable: true, length: 0, precision: 0, scale: 0 }],
  },
  data: [['x'], [null]],
  statementHandle: handle,
};

describe('API description of Snowflake, compared with requests and responses of the tests', () => {
  it('accepts a request of each operation', () => {
    expect(requestFaults(request())).toEqual([]);
    const bare = { method: 'GET', body: '' };
    expect(requestFaults(request({ ...bare, path: `/api/v2/statements/${handle}?partition=1` }))).toEqual([]);
    expect(requestFaults(request({ path: `/api/v2/statements/${handle}/cancel`, body: '' }))).toEqual([]);
  });

  it.each<[what: string, change: Parameters<typeof request>[0]]>([
    ['another path', { path: '/api/v1/statements' }],
    ['another method', { method: 'PUT' }],
    ['an invalid handle', { method: 'GET', path: '/api/v2/statements/x', body: '' }],
    ['an unknown query parameter', { path: '/api/v2/statements?retry=true' }],
    ['an invalid request id', { path: '/api/v2/statements?requestId=1' }],
    [
      '`nullable` in a request for a statement',
      {
        method: 'GET',
        path: `/api/v2/statements/${handle}?nullable=true`,
        body: '',
      },
    ],
    ['a body in a cancel request', { path: `/api/v2/statements/${handle}/cancel` }],
    ['an unknown member', { json: { ...submission, resultSetMetaData: {} } }],
    ['an unknown session parameter', { json: { ...submission, parameters: { autocommit: true } } }],
    ['a negative count', { json: { ...submission, parameters: { multi_statement_count: -1 } } }],
    ['a limit that is not a whole number', { json: { ...submission, timeout: 1.5 } }],
    ['a value that is not text', { json: { ...submission, bindings: { 1: { type: 'FIXED', value: 1 } } } }],
    ['a body that is not JSON', { body: 'select 1' }],
    ['no token', { headers: { ...request().headers, authorization: undefined } }],
    [
      'an unknown type of token',
      {
        headers: { ...request().headers, 'x-snowflake-authorization-token-type': 'BASIC' },
      },
    ],
    ['no User-Agent', { headers: { ...request().headers, 'user-agent': undefined } }],
  ])('refuses a request with %s', (_what, change) => {
    expect(requestFaults(request(change))).not.toEqual([]);
  });

  it('accepts each valid response and refuses others', () => {
    expect(answerFaults('status', 200, result)).toEqual([]);
    expect(answerFaults('submit', 202, { statementHandle: handle })).toEqual([]);
    expect(answerFaults('submit', 422, { message: 'x', statementHandle: handle })).toEqual([]);
    for (const [name, status, body] of [
      ['submit', 204, {}],
      ['cancel', 202, { statementHandle: handle }],
      ['submit', 202, {}],
      ['submit', 422, { statementHandle: handle }],
      ['status', 200, { ...result, data: [[1]] }],
      ['status', 200, { ...result, rows: [] }],
      ['status', 200, { ...result, resultSetMetaData: { ...result.resultSetMetaData, rowType: [] } }],
      ['status', 200, { ...result, resultSetMetaData: { ...result.resultSetMetaData, format: 'csv' } }],
    ] as const)
      expect(answerFaults(name, status, body), JSON.stringify(body)).not.toEqual([]);
  });
});

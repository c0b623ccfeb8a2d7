import { answerFaults, requestFaults, type SeenRequest } from '@svc/testkit/database/databricks/facts.ts';
import { describe, expect, it } from 'vitest';

const id = '01ee4b3f-4f56-1648-825a-c261d31be5f1';
const statements = '/api/2.0/sql/statements';
const submission = {
  statement: 'select :a',
  warehouse_id: 'abc',
  session_id: id,
  wait_timeout: '0s',
  on_wait_timeout: 'CONTINUE',
  disposition: 'INLINE',
  format: 'JSON_ARRAY',
  row_limit: 1,
  byte_limit: 1,
  parameters: [{ name: 'a', type: 'INT', value: '1' }],
};
const opening = { warehouse_id: 'abc', catalog: 'c', schema: 's', session_confs: { timezone: 'UTC' } };
type Change = Partial<SeenRequest> & { readonly path?: string; readonly json?: object };
const request = (change: Change = {}): SeenRequest => ({
  method: 'POST',
  url: new URL(change.path ?? statements, 'https://x.test'),
  headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
  body: JSON.stringify(change.json ?? submission),
  ...change,
});
const form = (body: string, authorization = 'Basic eDp5'): Change => ({
  path: '/oidc/v1/token',
  body,
  headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
});
const grant = 'grant_type=client_credentials&scope=all-apis';
const result = {
  statement_id: id,
  status: { state: 'SUCCEEDED' },
  manifest: {
    format: 'JSON_ARRAY',
    total_chunk_count: 1,
    total_row_count: 1,
    truncated: false,
    schema: { column_count: 1, columns: [{ name: 'a', type_text: 'INT', type_name: 'INT', position: 0 }] },
  },
  result: { chunk_index: 0, row_count: 1, row_offset: 0, data_array: [['1'], [null]] },
};

describe('API description of Databricks, compared with requests and responses of the tests', () => {
  it('accepts a request of each operation', () => {
    const bare = { method: 'GET', body: '' };
    for (const right of [
      request(),
      request({ path: '/api/2.0/sql/sessions', json: opening }),
      request({ ...bare, method: 'DELETE', path: `/api/2.0/sql/sessions/${id}?warehouse_id=abc` }),
      request({ ...bare, path: `${statements}/${id}` }),
      request({ ...bare, path: `${statements}/${id}/result/chunks/2` }),
      request({ path: `${statements}/${id}/cancel`, body: '{}' }),
      request(form(grant)),
    ])
      expect(requestFaults(right), right.url.pathname).toEqual([]);
  });

  it.each<[what: string, change: Change]>([
    ['another path', { path: '/api/1.2/commands/execute' }],
    ['another method', { method: 'PUT' }],
    ['an invalid id', { method: 'GET', path: `${statements}/x`, body: '' }],
    ['a query string', { path: `${statements}?x=1` }],
    [
      'a chunk that is not a number',
      { method: 'GET', path: `${statements}/${id}/result/chunks/x`, body: '' },
    ],
    [
      'a close of a session without its warehouse',
      { method: 'DELETE', path: `/api/2.0/sql/sessions/${id}`, body: '' },
    ],
    ['a body in a GET request', { method: 'GET', path: `${statements}/${id}` }],
    ['an unknown member', { json: { ...submission, timeout: 1 } }],
    [
      'an unknown session parameter',
      { path: '/api/2.0/sql/sessions', json: { ...opening, session_confs: { x: '1' } } },
    ],
    [
      'a session parameter that is not text',
      { path: '/api/2.0/sql/sessions', json: { ...opening, session_confs: { ansi_mode: true } } },
    ],
    ['a wait of one second', { json: { ...submission, wait_timeout: '1s' } }],
    ['a wait without a unit', { json: { ...submission, wait_timeout: '10' } }],
    ['a wait of 51 seconds', { json: { ...submission, wait_timeout: '51s' } }],
    ['Arrow within the answer', { json: { ...submission, format: 'ARROW_STREAM' } }],
    ['a negative limit', { json: { ...submission, row_limit: -1 } }],
    ['a value that is not text', { json: { ...submission, parameters: [{ name: 'a', value: 1 }] } }],
    ['no warehouse', { json: { ...submission, warehouse_id: undefined } }],
    ['a body that is not JSON', { body: 'select 1' }],
    ['no token', { headers: { 'content-type': 'application/json' } }],
    ['another grant', form('grant_type=password&scope=all-apis')],
    ['another scope', form('grant_type=client_credentials&scope=sql')],
    ['the secret in the form', form(`${grant}&client_secret=x`)],
    ['bearer authorization instead of client credentials', form(grant, 'Bearer x')],
  ])('refuses a request with %s', (_what, change) => {
    expect(requestFaults(request(change))).not.toEqual([]);
  });

  it('accepts each valid response and refuses others', () => {
    const failed = {
      state: 'FAILED',
      error: { error_code: 'BAD_REQUEST', message: 'x' },
      sql_state: '42601',
    };
    for (const [name, status, body] of [
      ['status', 200, result],
      ['submit', 200, { statement_id: id, status: { state: 'PENDING' } }],
      ['status', 200, { statement_id: id, status: failed }],
      ['chunk', 200, { chunk_index: 1, row_offset: 1, row_count: 1, data_array: [['2']] }],
      ['cancel', 200, {}],
      ['open', 200, { session_id: id }],
      ['token', 401, { error: 'invalid_client' }],
    ] as const)
      expect(answerFaults(name, status, body), JSON.stringify(body)).toEqual([]);
    for (const [name, status, body] of [
      ['submit', 202, { statement_id: id, status: { state: 'PENDING' } }],
      ['submit', 200, { status: { state: 'PENDING' } }],
      ['submit', 200, { statement_id: 'x', status: { state: 'PENDING' } }],
      ['status', 200, { statement_id: id, status: { state: 'DONE' } }],
      ['status', 200, { statement_id: id, status: { ...failed, error: { error_code: 'X', message: 'x' } } }],
      ['status', 200, { ...result, result: { data_array: [[1]] } }],
      ['status', 200, { ...result, rows: [] }],
      ['status', 200, { ...result, manifest: { ...result.manifest, format: 'XML' } }],
      ['status', 200, { ...result, manifest: { ...result.manifest, truncated: 'no' } }],
      ['chunk', 200, { external_links: [] }],
      ['cancel', 404, {}],
      ['cancel', 200, { status: 'x' }],
      ['open', 200, { session_id: 'x' }],
      ['token', 200, { access_token: 'x', token_type: 'Bearer' }],
    ] as const)
      expect(answerFaults(name, status, body), JSON.stringify(body)).not.toEqual([]);
  });
});

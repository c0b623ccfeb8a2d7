import { statementsOf } from './endpoints.ts';

const o = '/orders';

/** SQL statements, including writes. The connector must refuse SQL. */
const sql = `
  select 1
  select * from orders
  select * from api."/orders"
  SELECT id FROM orders WHERE id = 1
  (select 1)
  with x as (select 1) select * from x
  values (1)
  table orders
  insert into orders values (1)
  update orders set id = 1
  delete from orders
  drop table orders
  truncate orders
  create table x (id int)
  alter table orders add column x int
  call p()
  explain select 1
  begin
  set x = 1
  -- comment
  /* comment */ select 1
  GET /orders
  POST /orders
  DELETE /orders/1
  http://rest.test/v1/orders
  /orders
  curl http://rest.test
`
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '');

const noJson = [
  '',
  '   ',
  '{',
  '{}}',
  '[]',
  '[{"path": "/orders"}]',
  'null',
  'true',
  '12',
  '"/orders"',
  '{"path": "/orders",}',
  "{'path': '/orders'}",
  '{path: "/orders"}',
  '{"path": "/orders"} {"path": "/orders"}',
  '{"path": "/orders"};',
  '{"path": "/orders"} // more',
  '{"path": "/orders" /* more */}',
  '{"path": "/orders", "query": {"a": undefined}}',
  '{"path": "/orders", "query": {"a": NaN}}',
  '{"path": "/orders", "query": {"a": 01}}',
  '{"path": "/orders", "query": {"a": {{a}}}}',
  '{"path": "/orders", "query": {"a": ?}}',
  '{"path": "/orders", "query": {"a": $1}}',
  '{"path": "/orders\u0000"}',
  `${'['.repeat(5_000)}`,
  `{"path": "/orders", "query": {"a": ${'['.repeat(2_000)}${']'.repeat(2_000)}}}`,
];

const otherPaths = [
  '/',
  '',
  'orders',
  '/Orders',
  '/orders/',
  '//orders',
  '/orders/1',
  '/orders/{ID}',
  '/orders?x=1',
  '/orders#x',
  '/orders/..',
  '/orders/../admin',
  '/./orders',
  '/%6frders',
  '/orders%2f1',
  '/admin',
  '/hooks',
  '/v1/orders',
  'http://rest.test/v1/orders',
  'http://evil.test/',
  '//evil.test/orders',
  '\\orders',
  '/orders\\1',
  '/orders\r\nHost: evil',
  '/orders HTTP/1.1',
  ' /orders',
  '/orders ',
  '/reports/x.json',
  '/people/{id}',
  '{path}',
  '/orders\t',
  '/orders;x',
].map((path) => ({ path }));

const members = [
  {},
  { path: 5 },
  { path: null },
  { path: [o] },
  { path: { a: o } },
  { query: {} },
  { path: o, method: 'POST' },
  { path: o, method: 'GET' },
  { path: o, body: {} },
  { path: o, headers: { a: 'b' } },
  { path: o, url: 'http://evil.test' },
  { path: o, host: 'evil.test' },
  { path: o, baseUrl: 'http://evil.test' },
  { path: o, Query: {} },
  { path: o, sql: 'select 1' },
  { path: o, auth: 'x' },
  { path: o, limit: 5 },
  { path: o, '': 1 },
  { path: o, query: [] },
  { path: o, query: 'a=b' },
  { path: o, query: null },
  { path: o, query: 5 },
  { path: o, query: { a: {} } },
  { path: o, query: { a: { b: 1 } } },
  { path: o, query: { a: [[1]] } },
  { path: o, query: { '': 1 } },
  { path: o, query: { a: { 'svc:bound': 1 } } },
  { path: o, query: { a: { 'svc:bound': 'x' } } },
  { path: o, query: { a: { 'svc:bound': -1 } } },
  { path: o, query: { a: 'x'.repeat(9_000) } },
  { path: o, params: { id: 1 } },
  { path: o, params: [] },
  { path: o, params: 'x' },
  { path: '/orders/{id}' },
  { path: '/orders/{id}', params: {} },
  { path: '/orders/{id}', params: { id: null } },
  { path: '/orders/{id}', params: { id: '' } },
  { path: '/orders/{id}', params: { id: '..' } },
  { path: '/orders/{id}', params: { id: '.' } },
  { path: '/orders/{id}', params: { id: 'a/b' } },
  { path: '/orders/{id}', params: { id: '../people' } },
  { path: '/orders/{id}', params: { id: 'a\\b' } },
  { path: '/orders/{id}', params: { id: '%2e%2e' } },
  { path: '/orders/{id}', params: { id: '%2Fx' } },
  { path: '/orders/{id}', params: { id: 'a\nb' } },
  { path: '/orders/{id}', params: { id: 'a\u0000' } },
  { path: '/orders/{id}', params: { id: '\u007f' } },
  { path: '/orders/{id}', params: { id: [1] } },
  { path: '/orders/{id}', params: { id: {} } },
  { path: '/orders/{id}', params: { id: 1, x: 2 } },
  { path: '/orders/{id}', params: { ID: 1 } },
  { path: '/orders/{id}/lines/{line}', params: { id: 1 } },
  { path: '/orders/{id}/lines/{line}', params: { id: 1, line: '..' } },
  { path: '/reports/{name}.json', params: { name: '../x' } },
  { path: '/orders/{id}', params: { id: { 'svc:bound': 1 } } },
];

const rowsAndColumns = [
  { path: o, rows: 5 },
  { path: o, rows: null },
  { path: o, rows: [] },
  { path: o, rows: 'data' },
  { path: o, rows: '$.data' },
  { path: o, rows: '/a~2' },
  { path: o, rows: '/a~' },
  { path: o, rows: '#/data' },
  { path: o, columns: [] },
  { path: o, columns: {} },
  { path: o, columns: 'id' },
  { path: o, columns: ['id'] },
  { path: o, columns: null },
  { path: o, columns: { id: 5 } },
  { path: o, columns: { id: null } },
  { path: o, columns: { id: 'id' } },
  { path: o, columns: { id: '$.id' } },
  { path: o, columns: { id: {} } },
  { path: o, columns: { id: { at: 5 } } },
  { path: o, columns: { id: { at: 'id' } } },
  { path: o, columns: { id: { type: 'text' } } },
  { path: o, columns: { id: { at: '/id', type: 'int' } } },
  { path: o, columns: { id: { at: '/id', type: 5 } } },
  { path: o, columns: { id: { at: '/id', type: null } } },
  { path: o, columns: { id: { at: '/id', kind: 'text' } } },
  { path: o, columns: { '': '/id' } },
  { path: o, columns: { id: ['/id'] } },
  { path: o, columns: Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`c${at}`, '/id'])) },
];

const pages = [
  [],
  {},
  null,
  5,
  'next',
  true,
  { max: 5 },
  { next: 5 },
  { next: null },
  { next: 'link' },
  { next: 'next' },
  { next: '' },
  { next: '/data' },
  { next: '/data/next' },
  { next: 'Link', parameter: 'page' },
  { next: '/n', cursor: '/c' },
  { next: '/n', start: 1 },
  { cursor: '/c' },
  { cursor: 'c', parameter: 'a' },
  { cursor: '/data/0', parameter: 'a' },
  { cursor: '', parameter: 'a' },
  { cursor: '/c', parameter: '' },
  { cursor: '/c', parameter: 5 },
  { cursor: '/c', parameter: 'a', start: 1 },
  { parameter: '' },
  { parameter: 5 },
  { parameter: null },
  { parameter: 'a', start: -1 },
  { parameter: 'a', start: 1.5 },
  { parameter: 'a', start: '1' },
  { parameter: 'a', step: 0 },
  { parameter: 'a', step: -1 },
  { parameter: 'a', step: null },
  { parameter: 'a', size: 0 },
  { parameter: 'a', size: 'x' },
  { parameter: 'a', max: 0 },
  { parameter: 'a', max: 101 },
  { parameter: 'a', max: -1 },
  { parameter: 'a', max: 1.5 },
  { parameter: 'a', max: '5' },
  { parameter: 'a', max: 1e3 },
  { parameter: 'a', start: 1_000_000_001 },
  { parameter: 'a', url: 'x' },
  { start: 1, step: 1 },
].map((paging) => ({ path: o, rows: '/data', pages: paging }));

/** Statements that must be refused before anything is sent. */
export const restRefused: readonly string[] = [
  ...sql,
  ...noJson,
  ...statementsOf(otherPaths),
  ...statementsOf(members),
  ...statementsOf(rowsAndColumns),
  ...statementsOf(pages),
];

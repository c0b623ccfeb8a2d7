/** Selected endpoints of the statements below. */
export const restEndpoints = [
  '/orders',
  '/orders/{id}',
  '/orders/{id}/lines/{line}',
  '/people',
  '/reports/{name}.json',
];

const json = (steps: readonly unknown[]): string[] => steps.map((step) => JSON.stringify(step));
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
  ...json(otherPaths),
  ...json(members),
  ...json(rowsAndColumns),
  ...json(pages),
];

const orders = { path: o, rows: '/data' };
const types = ['text', 'integer', 'number', 'json'];
const queries: readonly unknown[] = [
  {},
  { a: 1 },
  { a: 'x' },
  { a: true },
  { a: false },
  { a: null },
  { a: '' },
  { a: [1, 2] },
  { a: [] },
  { a: ['x', null] },
  { a: -1.5 },
  { a: 1e3 },
  { 'a[b]': 1 },
  { 'a b': 1 },
  { $filter: 'x eq 1' },
  { a: '&b=c' },
  { a: '#' },
  { a: '?' },
  { a: '+' },
  { a: '%' },
  { a: '%2e' },
  { a: '../x' },
  { a: 'é' },
  { a: '漢字' },
  { a: '😀' },
  { a: "' or 1=1 --" },
  { a: '{{x}}' },
  { a: '\\' },
  { a: '"' },
  { a: '\n' },
  { a: 'x'.repeat(2_000) },
  { a: 1, b: 2, c: 3 },
  { __proto__x: 1 },
  { constructor: 1 },
  { a: '2024-01-01T00:00:00Z' },
];
const ids: readonly unknown[] = [
  1,
  0,
  -1,
  1.5,
  '1',
  'abc',
  'a b',
  'é',
  '漢字',
  '😀',
  'a?b',
  'a#b',
  'a&b',
  'a=b',
  'a%b',
  'a;b',
  'a:b',
  'a@b',
  '...',
  'a.b',
  '.a',
  true,
  'x'.repeat(500),
  "o'brien",
  '{id}',
  '$',
  '*',
  '~',
  '|',
];
const paths = ['', '/data', '/data/0', '/one', '/deep/er/list', '/a~1b', '/m~0n', '/list/1'];
const columnSets: readonly unknown[] = [
  { id: '/id' },
  { id: { at: '/id' } },
  ...types.map((type) => ({ id: { at: '/id', type } })),
  { whole: '' },
  { whole: { at: '', type: 'json' } },
  { a: '/gone' },
  { a: '/x/y/z' },
  { a: '/list/0' },
  { a: '/a~1b' },
  { 'a b': '/id' },
  { id: '/id', again: '/id' },
  { day: { at: '/day', type: 'date' } },
  { at: { at: '/at', type: 'timestamp' } },
  { is: { at: '/is', type: 'boolean' } },
  { é: '/id' },
  { __proto__x: '/id' },
];
const paging: readonly unknown[] = [
  { next: 'Link' },
  { next: '/next' },
  { next: '/links/next' },
  { next: '/next', max: 1 },
  { next: '/next', max: 100 },
  { cursor: '/next', parameter: 'c' },
  { cursor: '/meta/cursor', parameter: 'page[after]', max: 7 },
  { parameter: 'page', size: 100 },
  { parameter: 'page', start: 0, size: 100 },
  { parameter: 'offset', start: 0, step: 100, size: 100 },
  { parameter: 'p', start: 5, step: 2, size: 50, max: 3 },
];

/** Reads that must be accepted. */
export const restReads: readonly string[] = json([
  ...queries.map((query) => ({ ...orders, query })),
  ...ids.map((id) => ({ path: '/orders/{id}', params: { id }, rows: '/data' })),
  ...ids
    .slice(0, 8)
    .map((line) => ({ path: '/orders/{id}/lines/{line}', params: { id: 1, line }, rows: '/data' })),
  ...paths.map((rows) => ({ path: '/people', rows, columns: { v: { at: '', type: 'json' } } })),
  ...columnSets.map((columns) => ({ ...orders, columns })),
  ...paging.map((way) => ({ ...orders, pages: way })),
  { path: '/reports/{name}.json', params: { name: 'daily' }, rows: '/data' },
  { path: '/reports/{name}.json', params: { name: 'daily.v2' }, rows: '/data' },
]);

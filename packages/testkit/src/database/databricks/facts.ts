import Type from 'typebox';
import Value from 'typebox/value';

/**
 * Used part of the vendor's API description: the path of each operation, request schemas, statuses and response schemas.
 * Sessions appear only in the vendor's drivers. The tests validate requests and responses against it.
 */
const count = Type.Integer({ minimum: 0 });
const closed = { additionalProperties: false } as const;
const text = Type.String();

/** Returns the schema of an object whose members are all optional. It allows no other members. */
const optional = (members: Readonly<Record<string, Type.TSchema>>) =>
  Type.Object(
    Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)])),
    closed,
  );

const uuidPattern = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
const uuid = Type.String({ pattern: `^${uuidPattern}$` });
const oneOf = (...words: readonly string[]) => Type.Union(words.map((word) => Type.Literal(word)));

/** A missing value means NULL; a missing type means STRING. */
const parameter = Type.Object(
  { name: text, value: Type.Optional(Type.Union([text, Type.Null()])), type: Type.Optional(text) },
  closed,
);

/** `0s`, or between 5 and 50 seconds. */
const waitTimeout = Type.String({ pattern: '^(0|[5-9]|[1-4]\\d|50)s$' });

const submission = Type.Object(
  {
    statement: text,
    warehouse_id: text,
    session_id: Type.Optional(uuid),
    catalog: Type.Optional(text),
    schema: Type.Optional(text),
    wait_timeout: Type.Optional(waitTimeout),
    on_wait_timeout: Type.Optional(oneOf('CONTINUE', 'CANCEL')),
    disposition: Type.Optional(oneOf('INLINE', 'EXTERNAL_LINKS')),
    format: Type.Optional(oneOf('JSON_ARRAY', 'ARROW_STREAM', 'CSV')),
    row_limit: Type.Optional(count),
    byte_limit: Type.Optional(count),
    parameters: Type.Optional(Type.Array(parameter)),
  },
  closed,
);

/** Parameters of a new session. Their values are strings. */
const sessionConfs = optional({
  ansi_mode: text,
  enable_photon: text,
  legacy_time_parser_policy: text,
  timezone: text,
  max_file_partition_bytes: text,
  read_only_external_metastore: text,
  statement_timeout: text,
  use_cached_result: text,
  query_tags: text,
});

const sessionRequest = Type.Object(
  {
    warehouse_id: text,
    catalog: Type.Optional(text),
    schema: Type.Optional(text),
    session_confs: Type.Optional(sessionConfs),
  },
  closed,
);

const errorCodes = [
  'UNKNOWN',
  'INTERNAL_ERROR',
  'TEMPORARILY_UNAVAILABLE',
  'IO_ERROR',
  'BAD_REQUEST',
  'NOT_FOUND',
  'SERVICE_UNDER_MAINTENANCE',
  'WORKSPACE_TEMPORARILY_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'CANCELLED',
  'RESOURCE_EXHAUSTED',
  'ABORTED',
  'ALREADY_EXISTS',
  'UNAUTHENTICATED',
];
const status = Type.Object(
  {
    state: oneOf('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED', 'CLOSED'),
    error: Type.Optional(Type.Object({ error_code: oneOf(...errorCodes), message: text }, closed)),
    sql_state: Type.Optional(text),
  },
  closed,
);

const typeNames = [
  'BOOLEAN',
  'BYTE',
  'SHORT',
  'INT',
  'LONG',
  'FLOAT',
  'DOUBLE',
  'DATE',
  'TIMESTAMP',
  'STRING',
  'BINARY',
  'DECIMAL',
  'INTERVAL',
  'ARRAY',
  'STRUCT',
  'MAP',
  'CHAR',
  'NULL',
  'USER_DEFINED_TYPE',
];
const column = Type.Object(
  {
    name: text,
    type_text: text,
    type_name: oneOf(...typeNames),
    position: count,
    type_precision: Type.Optional(count),
    type_scale: Type.Optional(count),
    type_interval_type: Type.Optional(text),
  },
  closed,
);
const chunk = Type.Object(
  { chunk_index: count, row_offset: count, row_count: count, byte_count: Type.Optional(count) },
  closed,
);
const manifest = Type.Object(
  {
    format: oneOf('JSON_ARRAY', 'ARROW_STREAM', 'CSV'),
    schema: Type.Object({ column_count: count, columns: Type.Array(column, { minItems: 1 }) }, closed),
    total_chunk_count: count,
    total_row_count: count,
    total_byte_count: Type.Optional(count),
    truncated: Type.Boolean(),
    chunks: Type.Optional(Type.Array(chunk)),
  },
  closed,
);
const result = optional({
  chunk_index: count,
  row_offset: count,
  row_count: count,
  byte_count: count,
  next_chunk_index: count,
  next_chunk_internal_link: text,
  data_array: Type.Array(Type.Array(Type.Union([text, Type.Null()]))),
});
const statement = Type.Object(
  {
    statement_id: uuid,
    status,
    manifest: Type.Optional(manifest),
    result: Type.Optional(result),
  },
  closed,
);
const empty = Type.Object({}, closed);
const session = Type.Object(
  {
    session_id: uuid,
    session_version: Type.Optional(Type.Object({ version_id: count }, closed)),
  },
  closed,
);
const token = Type.Object(
  {
    access_token: text,
    token_type: text,
    expires_in: Type.Integer({ minimum: 1 }),
    scope: Type.Optional(text),
  },
  closed,
);
const tokenError = Type.Object(
  { error: text, error_description: Type.Optional(text), error_id: Type.Optional(text) },
  closed,
);
const plainError = Type.Object(
  {
    error_code: Type.Optional(Type.Union([text, Type.Integer()])),
    message: Type.Optional(text),
    details: Type.Optional(Type.Array(Type.Unknown())),
  },
  closed,
);

const errors = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, plainError]));

type Operation = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: RegExp;
  readonly query: Type.TSchema;
  readonly body: Type.TSchema | undefined;
  readonly answers: Readonly<Record<number, Type.TSchema>>;
};

export type OperationName = 'token' | 'open' | 'close' | 'submit' | 'status' | 'chunk' | 'cancel';

const statements = '^/api/2\\.0/sql/statements';
const sessions = '^/api/2\\.0/sql/sessions';

export const operations: Readonly<Record<OperationName, Operation>> = {
  token: {
    method: 'POST',
    path: /^\/oidc\/v1\/token$/,
    query: empty,
    body: undefined,
    answers: { 200: token, 400: tokenError, 401: tokenError, 403: tokenError, ...errors(429, 500, 503) },
  },
  open: {
    method: 'POST',
    path: new RegExp(`${sessions}$`),
    query: empty,
    body: sessionRequest,
    answers: { 200: session, ...errors(400, 401, 403, 404, 429, 500, 503) },
  },
  close: {
    method: 'DELETE',
    path: new RegExp(`${sessions}/(${uuidPattern})$`),
    query: Type.Object({ warehouse_id: text }, closed),
    body: undefined,
    answers: { 200: empty, ...errors(400, 401, 403, 404, 429, 500, 503) },
  },
  submit: {
    method: 'POST',
    path: new RegExp(`${statements}$`),
    query: empty,
    body: submission,
    answers: { 200: statement, ...errors(400, 401, 403, 404, 429, 500, 503) },
  },
  status: {
    method: 'GET',
    path: new RegExp(`${statements}/(${uuidPattern})$`),
    query: empty,
    body: undefined,
    answers: { 200: statement, ...errors(400, 401, 403, 404, 429, 500, 503) },
  },
  chunk: {
    method: 'GET',
    path: new RegExp(`${statements}/(${uuidPattern})/result/chunks/(\\d+)$`),
    query: empty,
    body: undefined,
    answers: { 200: result, ...errors(400, 401, 403, 404, 429, 500, 503) },
  },
  cancel: {
    method: 'POST',
    path: new RegExp(`${statements}/(${uuidPattern})/cancel$`),
    query: empty,
    body: empty,
    answers: { 200: empty, ...errors(400, 401, 403, 429, 500, 503) },
  },
};

/** Request that the server received. */
export type SeenRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

export const operationOf = ({ method, url }: SeenRequest): OperationName | undefined =>
  (Object.keys(operations) as OperationName[]).find(
    (name) => operations[name].method === method && operations[name].path.test(url.pathname),
  );

const faultsOf = (what: string, schema: Type.TSchema, value: unknown): string[] =>
  Value.Errors(schema, value).map(({ instancePath, message }) => `${what}${instancePath} ${message}`);

/** Returns the violations of the API description; empty for a valid request. */
export function requestFaults(request: SeenRequest): string[] {
  const name = operationOf(request);
  if (!name) return [`${request.method} ${request.url.pathname} is no operation`];
  const { query, body } = operations[name];
  const { headers } = request;
  return [
    ...faultsOf('query', query, Object.fromEntries(request.url.searchParams)),
    ...(name === 'token' ? tokenFaults(request) : bearerFaults(request)),
    ...(body ? faultsOf('body', body, parsed(request.body)) : []),
    ...(!body && name !== 'token' && request.body !== '' ? ['the operation has no body'] : []),
    ...(body && headers['content-type'] !== 'application/json' ? ['the content type is not JSON'] : []),
    ...inlineFaults(parsed(request.body)),
  ];
}

const bearerFaults = ({ headers }: SeenRequest): string[] =>
  /^Bearer \S+$/.test(String(headers['authorization'])) ? [] : ['there is no bearer token'];

/** Returns the violations of the client credentials grant, with the client in a header. */
function tokenFaults({ headers, body }: SeenRequest): string[] {
  const form = new URLSearchParams(body);
  return [
    ...(headers['content-type'] === 'application/x-www-form-urlencoded' ? [] : ['it is no form']),
    ...(/^Basic [\w+/]+=*$/.test(String(headers['authorization'])) ? [] : ['there is no client']),
    ...(form.get('grant_type') === 'client_credentials' ? [] : ['it is another grant']),
    ...(form.get('scope') === 'all-apis' ? [] : ['it is another scope']),
    ...([...form.keys()].length === 2 ? [] : ['the form has other fields']),
  ];
}

/** Returns a violation unless inline results have the format `JSON_ARRAY`. */
function inlineFaults(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || !('disposition' in body)) return [];
  const format = 'format' in body ? body.format : 'JSON_ARRAY';
  return body.disposition === 'INLINE' && format !== 'JSON_ARRAY' ? ['the format is not for INLINE'] : [];
}

/** Returns the violations of the API description; empty for a valid response. */
export function answerFaults(name: OperationName, status: number, body: unknown): string[] {
  const schema = operations[name].answers[status];
  return schema ? faultsOf(`${name} ${status} `, schema, body) : [`${name} does not answer ${status}`];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

import Type from 'typebox';
import Value from 'typebox/value';

/**
 * Used part of the service's API description: the path of each operation, request schemas, statuses and response schemas.
 * The tests validate requests and responses against it.
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

const uuidPattern = '[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}';
const uuid = Type.String({ pattern: `^${uuidPattern}$` });
const flag = Type.String({ pattern: '^(true|false)$' });
const number = Type.String({ pattern: '^\\d+$' });

const binding = Type.Object({ type: text, value: Type.Union([text, Type.Null()]) }, closed);

/** Only the vendor's reference documents `rows_per_resultset`. */
const sessionParameters = optional({
  timezone: text,
  query_tag: text,
  binary_output_format: text,
  date_output_format: text,
  time_output_format: text,
  timestamp_output_format: text,
  timestamp_ltz_output_format: text,
  timestamp_ntz_output_format: text,
  timestamp_tz_output_format: text,
  multi_statement_count: count,
  rows_per_resultset: count,
});

const submission = Type.Object(
  {
    statement: text,
    timeout: count,
    database: text,
    schema: text,
    warehouse: text,
    role: text,
    parameters: sessionParameters,
    bindings: Type.Optional(Type.Record(Type.String({ pattern: '^[1-9]\\d*$' }), binding)),
  },
  closed,
);

const statusMembers = {
  code: Type.Optional(text),
  sqlState: Type.Optional(text),
  message: Type.Optional(text),
  createdOn: Type.Optional(Type.Integer()),
  statementStatusUrl: Type.Optional(text),
};
const queryStatus = Type.Object({ ...statusMembers, statementHandle: uuid }, closed);
const failureStatus = Type.Object({ ...statusMembers, message: text, statementHandle: uuid }, closed);
const cancelStatus = Type.Object({ ...statusMembers, statementHandle: uuid }, closed);
const plainError = Type.Object({ code: Type.Optional(text), message: Type.Optional(text) }, closed);

const column = Type.Object(
  {
    name: text,
    type: text,
    nullable: Type.Boolean(),
    length: count,
    precision: count,
    scale: count,
  },
  closed,
);
const part = Type.Object(
  { rowCount: count, uncompressedSize: count, compressedSize: Type.Optional(count) },
  closed,
);
const resultSet = optional({
  code: text,
  sqlState: text,
  message: text,
  statementHandle: uuid,
  createdOn: Type.Integer(),
  statementStatusUrl: text,
  resultSetMetaData: Type.Object(
    {
      format: Type.Literal('jsonv2'),
      numRows: count,
      rowType: Type.Array(column, { minItems: 1 }),
      partitionInfo: Type.Array(part),
    },
    closed,
  ),
  data: Type.Array(Type.Array(Type.Union([text, Type.Null()]))),
});

const errors = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, plainError]));

type Operation = {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly query: Type.TSchema;
  readonly body: Type.TSchema | undefined;
  readonly answers: Readonly<Record<number, Type.TSchema>>;
};

export type OperationName = 'submit' | 'status' | 'cancel';

export const operations: Readonly<Record<OperationName, Operation>> = {
  submit: {
    method: 'POST',
    path: /^\/api\/v2\/statements$/,
    query: optional({ requestId: uuid, async: flag, nullable: flag }),
    body: submission,
    answers: {
      200: resultSet,
      202: queryStatus,
      408: queryStatus,
      422: failureStatus,
      ...errors(400, 401, 403, 404, 405, 415, 429, 500, 503),
    },
  },
  status: {
    method: 'GET',
    path: new RegExp(`^/api/v2/statements/(${uuidPattern})$`),
    query: optional({ requestId: uuid, partition: number }),
    body: undefined,
    answers: {
      200: resultSet,
      202: queryStatus,
      422: failureStatus,
      ...errors(400, 401, 403, 404, 405, 415, 429, 500, 503, 504),
    },
  },
  cancel: {
    method: 'POST',
    path: new RegExp(`^/api/v2/statements/(${uuidPattern})/cancel$`),
    query: optional({ requestId: uuid }),
    body: undefined,
    answers: { 200: cancelStatus, 422: cancelStatus, ...errors(400, 401, 403, 404, 405, 500, 503, 504) },
  },
};

const tokenTypes = ['KEYPAIR_JWT', 'OAUTH', 'PROGRAMMATIC_ACCESS_TOKEN'];

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
  const type = headers['x-snowflake-authorization-token-type'];
  return [
    ...faultsOf('query', query, Object.fromEntries(request.url.searchParams)),
    ...(body ? faultsOf('body', body, parsed(request.body)) : []),
    ...(!body && request.body !== '' ? ['the operation has no body'] : []),
    ...(body && headers['content-type'] !== 'application/json' ? ['the content type is not JSON'] : []),
    ...(headers['user-agent'] === undefined ? ['there is no User-Agent'] : []),
    ...(tokenTypes.includes(String(type)) ? [] : ['the type of the token is unknown']),
    ...(/^Bearer \S+$/.test(String(headers['authorization'])) ? [] : ['there is no bearer token']),
  ];
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

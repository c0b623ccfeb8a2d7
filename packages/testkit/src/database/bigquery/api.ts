import Type from 'typebox';
import Value from 'typebox/value';

/**
 * Used methods of BigQuery's REST API (v2), written by hand from its reference: permitted scopes, and the schemas of
 * requests and responses. 64-bit integers are strings in JSON.
 */
const scopeRoot = 'https://www.googleapis.com/auth/';
const writing = [`${scopeRoot}bigquery`, `${scopeRoot}cloud-platform`];
const reading = [...writing, `${scopeRoot}cloud-platform.read-only`];
/** Scopes that a key may request. */
export const knownScopes: ReadonlySet<string> = new Set(reading);

const closed = { additionalProperties: false } as const;
const Int64 = Type.String({ pattern: '^-?\\d{1,19}$' });
const Optional = Type.Optional;

const JobReference = Type.Object(
  { projectId: Type.String(), jobId: Optional(Type.String()), location: Optional(Type.String()) },
  closed,
);
const DatasetReference = Type.Object(
  { datasetId: Type.String(), projectId: Optional(Type.String()) },
  closed,
);
const QueryParameter = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z_]\\w*$' }),
    parameterType: Type.Object(
      {
        type: Type.Enum(['INT64', 'NUMERIC', 'BIGNUMERIC', 'FLOAT64', 'STRING', 'BOOL', 'DATE', 'TIMESTAMP']),
      },
      closed,
    ),
    parameterValue: Type.Object({ value: Type.Union([Type.String(), Type.Null()]) }, closed),
  },
  closed,
);
const query = {
  query: Type.String({ minLength: 1 }),
  useLegacySql: Optional(Type.Boolean()),
  parameterMode: Optional(Type.Enum(['NAMED', 'POSITIONAL'])),
  queryParameters: Optional(Type.Array(QueryParameter)),
  defaultDataset: Optional(DatasetReference),
};

const TableFieldSchema = Type.Object(
  {
    name: Type.String(),
    type: Type.Enum([
      'STRING',
      'BYTES',
      'INTEGER',
      'FLOAT',
      'BOOLEAN',
      'TIMESTAMP',
      'DATE',
      'TIME',
      'DATETIME',
      'GEOGRAPHY',
      'NUMERIC',
      'BIGNUMERIC',
      'JSON',
      'INTERVAL',
      'RECORD',
    ]),
    mode: Optional(Type.Enum(['NULLABLE', 'REQUIRED', 'REPEATED'])),
    fields: Optional(Type.Array(Type.Unknown())),
  },
  closed,
);
const TableSchema = Type.Object({ fields: Type.Array(TableFieldSchema) }, closed);
const ErrorProto = Type.Object(
  { reason: Type.String(), message: Type.String(), location: Optional(Type.String()) },
  closed,
);
const TableReference = Type.Object(
  { projectId: Type.String(), datasetId: Type.String(), tableId: Type.String() },
  closed,
);
const RoutineReference = Type.Object(
  { projectId: Type.String(), datasetId: Type.String(), routineId: Type.String() },
  closed,
);

const Job = Type.Object(
  {
    kind: Type.Literal('bigquery#job'),
    jobReference: JobReference,
    configuration: Type.Object({ jobType: Type.Literal('QUERY'), dryRun: Type.Literal(true) }, closed),
    status: Type.Object({ state: Type.Literal('DONE'), errorResult: Optional(ErrorProto) }, closed),
    statistics: Type.Object(
      {
        totalBytesProcessed: Int64,
        query: Type.Object(
          {
            statementType: Type.String(),
            schema: Optional(TableSchema),
            totalBytesProcessed: Int64,
            totalBytesProcessedAccuracy: Type.Enum(['PRECISE', 'LOWER_BOUND', 'UPPER_BOUND', 'UNKNOWN']),
            referencedTables: Optional(Type.Array(TableReference)),
            referencedRoutines: Optional(Type.Array(RoutineReference)),
          },
          closed,
        ),
      },
      closed,
    ),
  },
  closed,
);

const results = {
  jobReference: JobReference,
  jobComplete: Type.Boolean(),
  schema: Optional(TableSchema),
  rows: Optional(
    Type.Array(Type.Object({ f: Type.Array(Type.Object({ v: Type.Unknown() }, closed)) }, closed)),
  ),
  totalRows: Optional(Type.String({ pattern: '^\\d+$' })),
  pageToken: Optional(Type.String()),
  totalBytesProcessed: Optional(Int64),
  cacheHit: Optional(Type.Boolean()),
};

const boolText = Type.Enum(['true', 'false']);
const uintText = Type.String({ pattern: '^\\d{1,10}$' });

type Method = {
  readonly http: 'GET' | 'POST';
  /** Path relative to `/bigquery/v2/projects/{projectId}`. */
  readonly path: RegExp;
  readonly scopes: readonly string[];
  readonly query: Type.TSchema;
  /** Absent: the body is not validated. */
  readonly body?: Type.TSchema;
  readonly answer: Type.TSchema;
};

export const methods = {
  'jobs.insert': {
    http: 'POST',
    path: /^\/jobs$/,
    scopes: writing,
    query: Type.Object({}, closed),
    answer: Job,
    body: Type.Object(
      {
        configuration: Type.Object({ dryRun: Type.Literal(true), query: Type.Object(query, closed) }, closed),
        jobReference: Optional(JobReference),
      },
      closed,
    ),
  },
  'jobs.query': {
    http: 'POST',
    path: /^\/queries$/,
    scopes: reading,
    query: Type.Object({}, closed),
    body: Type.Object(
      {
        ...query,
        maximumBytesBilled: Optional(Int64),
        location: Optional(Type.String()),
        jobCreationMode: Optional(Type.Enum(['JOB_CREATION_REQUIRED', 'JOB_CREATION_OPTIONAL'])),
        requestId: Optional(Type.String({ maxLength: 36, pattern: '^[\\x21-\\x7e]+$' })),
        maxResults: Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
        timeoutMs: Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
        jobTimeoutMs: Optional(Int64),
        formatOptions: Optional(Type.Object({ useInt64Timestamp: Type.Boolean() }, closed)),
      },
      closed,
    ),
    answer: Type.Object(
      { kind: Type.Literal('bigquery#queryResponse'), ...results, totalBytesBilled: Optional(Int64) },
      closed,
    ),
  },
  'jobs.getQueryResults': {
    http: 'GET',
    path: /^\/queries\/([\w-]+)$/,
    scopes: reading,
    query: Type.Object(
      {
        location: Optional(Type.String()),
        maxResults: Optional(uintText),
        timeoutMs: Optional(uintText),
        'formatOptions.useInt64Timestamp': Optional(boolText),
        pageToken: Optional(Type.String()),
      },
      closed,
    ),
    answer: Type.Object({ kind: Type.Literal('bigquery#getQueryResultsResponse'), ...results }, closed),
  },
  'jobs.cancel': {
    http: 'POST',
    path: /^\/jobs\/([\w-]+)\/cancel$/,
    scopes: writing,
    query: Type.Object({ location: Optional(Type.String()) }, closed),
    answer: Type.Object({ kind: Type.Literal('bigquery#jobCancelResponse'), job: Type.Unknown() }, closed),
  },
  'datasets.list': {
    http: 'GET',
    path: /^\/datasets$/,
    scopes: reading,
    query: Type.Object({ maxResults: Optional(uintText), pageToken: Optional(Type.String()) }, closed),
    answer: Type.Object(
      {
        kind: Type.Literal('bigquery#datasetList'),
        datasets: Optional(
          Type.Array(
            Type.Object(
              {
                kind: Type.Literal('bigquery#dataset'),
                id: Type.String(),
                datasetReference: DatasetReference,
                location: Type.String(),
              },
              closed,
            ),
          ),
        ),
        nextPageToken: Optional(Type.String()),
      },
      closed,
    ),
  },
  'datasets.get': {
    http: 'GET',
    path: /^\/datasets\/(\w+)$/,
    scopes: reading,
    query: Type.Object({}, closed),
    answer: Type.Object(
      {
        kind: Type.Literal('bigquery#dataset'),
        id: Type.String(),
        datasetReference: DatasetReference,
        location: Type.String(),
      },
      closed,
    ),
  },
  'routines.get': {
    http: 'GET',
    path: /^\/datasets\/(\w+)\/routines\/(\w+)$/,
    scopes: reading,
    query: Type.Object({}, closed),
    answer: Type.Object(
      {
        routineReference: RoutineReference,
        routineType: Type.Enum(['SCALAR_FUNCTION', 'TABLE_VALUED_FUNCTION', 'AGGREGATE_FUNCTION']),
        language: Optional(Type.Enum(['SQL', 'JAVASCRIPT', 'PYTHON'])),
        remoteFunctionOptions: Optional(
          Type.Object({ endpoint: Type.String(), connection: Type.String() }, closed),
        ),
      },
      closed,
    ),
  },
} as const satisfies Readonly<Record<string, Method>>;

export type MethodName = keyof typeof methods;

/** Error response of all methods. */
const ErrorAnswer = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Integer(),
        message: Type.String(),
        errors: Type.Array(
          Type.Object({ message: Type.String(), domain: Type.String(), reason: Type.String() }, closed),
        ),
        status: Type.String(),
      },
      closed,
    ),
  },
  closed,
);

/** Returns the first violation of a schema; undefined for a valid value. */
export function faultOf(schema: Type.TSchema, value: unknown): string | undefined {
  if (Value.Check(schema, value)) return undefined;
  const [first] = Value.Errors(schema, value);
  return `${first?.instancePath ?? ''} ${first?.message ?? ''}`.trim();
}

/** Throws if a response of the test's server does not match the description of the API. */
export function assertAnswer(name: MethodName, status: number, body: unknown): void {
  const fault = faultOf(status === 200 ? methods[name].answer : ErrorAnswer, body);
  if (fault !== undefined) throw new Error(`The answer to ${name} is not as it is described: ${fault}`);
}

/** Returns the method that a request calls. */
export function methodOf(http: string | undefined, path: string): MethodName | undefined {
  const match = Object.entries(methods).find(([, method]) => method.http === http && method.path.test(path));
  // The entries come from `methods`, so their keys are method names.
  return match?.[0] as MethodName | undefined;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { MethodName } from './api.ts';
import { catalogueAnswer, datasets } from './catalogue.ts';
import { openShop, type Shop, type ShopResult, StatementFault } from './shop.ts';
import { statementType } from './statement.ts';

/** Call of an API method. */
export type Asked = {
  readonly method: MethodName;
  readonly scope: string;
  readonly sql?: string;
  readonly body?: unknown;
  readonly query: Readonly<Record<string, string>>;
};

export type ServiceCall = Omit<Asked, 'sql'> & { readonly names: readonly string[] };

/** Error response in the service's format. */
export class ServiceError extends Error {
  readonly code: number;
  readonly body: object;
  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    const status = code === 404 ? 'NOT_FOUND' : code === 403 ? 'PERMISSION_DENIED' : 'INVALID_ARGUMENT';
    this.body = { error: { code, message, errors: [{ message, domain: 'global', reason }], status } };
  }
}

/** Result that a test provides, with values in the service's format. */
export type GivenResult = {
  readonly fields: readonly object[];
  readonly rows: readonly (readonly unknown[])[];
};

export type Service = {
  readonly asked: Asked[];
  /** Answers matching statements with this result instead of the shop's rows. */
  readonly give: (pattern: RegExp, result: GivenResult) => void;
  /** Sets the type that a dry run reports for matching statements. */
  readonly callIt: (pattern: RegExp, type: string) => void;
  readonly call: (call: ServiceCall) => Promise<object>;
  readonly runningJobs: () => number;
  readonly close: () => void;
};

type Job = {
  readonly id: string;
  readonly sql: string;
  readonly result: GivenResult;
  /** Milliseconds on the clock of `performance.now()`. Undefined: the job never ends. */
  readonly endsAt: number | undefined;
  readonly stopped: AbortController;
};

const gib = 1_073_741_824;
const slowMs = 700;
/** Default wait for the end of a job. After it, the response has `jobComplete: false`. */
const waitMsMax = 10_000;
const endlessWaitMs = 3_600_000;

const dataset = ([name, location]: (typeof datasets)[number]) => ({
  kind: 'bigquery#dataset',
  id: `svc-tests:${name}`,
  location,
  datasetReference: { projectId: 'svc-tests', datasetId: name },
});

const routines = new Map([
  ['twice', { routineType: 'SCALAR_FUNCTION', language: 'SQL' }],
  [
    'remote',
    {
      routineType: 'SCALAR_FUNCTION',
      remoteFunctionOptions: { endpoint: 'https://f.test/', connection: 'c' },
    },
  ],
  ['snake', { routineType: 'SCALAR_FUNCTION', language: 'PYTHON' }],
]);

export function createService(project: string): Service {
  const shop: Shop = openShop();
  const asked: Asked[] = [];
  const given: [RegExp, GivenResult][] = [];
  const called: [RegExp, string][] = [];
  const jobs = new Map<string, Job>();

  function resultOf(query: QueryBody, location: string | undefined): GivenResult {
    const preparedResult = given.findLast(([pattern]) => pattern.test(query.query));
    if (preparedResult) return preparedResult[1];
    const parameters = (query.queryParameters ?? []).map(({ name, parameterType, parameterValue }) => ({
      name,
      type: parameterType.type,
      value: parameterValue.value,
    }));
    return presentRows(catalogueAnswer(query.query, location) ?? shop.run(query.query, parameters));
  }

  function insert(call: ServiceCall): object {
    const { configuration, jobReference } = call.body as {
      configuration: { query: QueryBody };
      jobReference?: { location?: string };
    };
    const { query } = configuration;
    const type =
      called.findLast(([pattern]) => pattern.test(query.query))?.[1] ??
      asService(() => statementType(query.query));
    const scanned = String(/\bhuge\b/.test(query.query) ? 50 * gib : 1_024);
    const functions = [...query.query.matchAll(/\bshop\.(\w+)\(/g)].map(([, name = '']) => name);
    const result = type === 'SELECT' ? asService(() => resultOf(query, jobReference?.location)) : undefined;
    const tables = [...query.query.matchAll(/(?:from|join)\s+`?(shop)`?\.`?(\w+)`?/gi)];
    return {
      kind: 'bigquery#job',
      jobReference: { projectId: project, ...jobReference },
      configuration: { jobType: 'QUERY', dryRun: true },
      status: { state: 'DONE' },
      statistics: {
        totalBytesProcessed: scanned,
        query: {
          statementType: type,
          totalBytesProcessed: scanned,
          totalBytesProcessedAccuracy: 'PRECISE',
          ...(result && { schema: { fields: result.fields } }),
          referencedTables: tables.map(([, datasetId = '', tableId = '']) => ({
            projectId: project,
            datasetId,
            tableId,
          })),
          ...(functions.length > 0 && {
            referencedRoutines: functions.map((routineId) => ({
              projectId: project,
              datasetId: 'shop',
              routineId,
            })),
          }),
        },
      },
    };
  }

  async function query(call: ServiceCall): Promise<object> {
    const body = call.body as QueryBody & { location?: string; timeoutMs?: number; maxResults?: number };
    if (asService(() => statementType(body.query)) !== 'SELECT')
      throw new ServiceError(
        403,
        'accessDenied',
        'Access Denied: the scopes of the token do not allow this.',
      );
    const limit = Number(body.maximumBytesBilled ?? Number.MAX_SAFE_INTEGER);
    if (/\bhuge\b/.test(body.query) && limit < 50 * gib)
      throw new ServiceError(
        400,
        'bytesBilledLimitExceeded',
        `Query exceeded limit for bytes billed: ${limit}. ${50 * gib} or higher required.`,
      );
    const job: Job = {
      id: `job_${jobs.size + 1}`,
      sql: body.query,
      stopped: new AbortController(),
      result: asService(() => resultOf(body, body.location)),
      endsAt: /\bendless\b/.test(body.query)
        ? undefined
        : performance.now() + (/\bslow\b/.test(body.query) ? slowMs : 0),
    };
    jobs.set(job.id, job);
    const page = { maxResults: body.maxResults ?? 10_000, from: 0 };
    const queryResults = await resultsOf(job, body.timeoutMs ?? waitMsMax, page);
    // Only this method returns the billed bytes, and not for tables with row-level access policies.
    const isBilled = 'totalRows' in queryResults && !/\bpoliced\b/.test(body.query);
    return {
      kind: 'bigquery#queryResponse',
      ...queryResults,
      ...(isBilled && { totalBytesBilled: '10485760' }),
    };
  }

  async function results(call: ServiceCall): Promise<object> {
    const job = jobs.get(call.names[0] ?? '');
    if (!job || call.query['location'] !== 'EU') throw new ServiceError(404, 'notFound', 'Not found: Job');
    const page = {
      maxResults: Number(call.query['maxResults'] ?? 10_000),
      from: Number(call.query['pageToken']?.replace('from-', '') ?? 0),
    };
    // Only a cancellation ends this request for an endless job: a client that waits for its response fails a test.
    const waitMs = job.endsAt === undefined ? endlessWaitMs : Number(call.query['timeoutMs'] ?? waitMsMax);
    return { kind: 'bigquery#getQueryResultsResponse', ...(await resultsOf(job, waitMs, page)) };
  }

  async function resultsOf(
    job: Job,
    waitMs: number,
    page: { readonly maxResults: number; readonly from: number },
  ): Promise<object> {
    const jobReference = { projectId: project, jobId: job.id, location: 'EU' };
    const left = (job.endsAt ?? Number.POSITIVE_INFINITY) - performance.now();
    if (left > 0)
      await delay(Math.min(left, waitMs), undefined, { signal: job.stopped.signal, ref: false }).catch(
        () => {},
      );
    if (job.stopped.signal.aborted)
      throw new ServiceError(400, 'stopped', 'Job execution was cancelled: User requested cancellation');
    if (left > waitMs) return { jobReference, jobComplete: false };
    const { fields, rows } = job.result;
    const to = page.from + page.maxResults;
    return {
      jobReference,
      jobComplete: true,
      schema: { fields },
      totalRows: String(rows.length),
      ...(rows.length > page.from && {
        rows: rows.slice(page.from, to).map((row) => ({ f: row.map((v) => ({ v })) })),
      }),
      ...(rows.length > to && { pageToken: `from-${to}` }),
      totalBytesProcessed: '1024',
      cacheHit: false,
    };
  }

  function cancel(call: ServiceCall): object {
    const job = jobs.get(call.names[0] ?? '');
    if (!job) throw new ServiceError(404, 'notFound', 'Not found: Job');
    job.stopped.abort();
    return { kind: 'bigquery#jobCancelResponse', job: {} };
  }

  function one(call: ServiceCall): object {
    const match = datasets.find(([name]) => name === call.names[0]);
    if (!match) throw new ServiceError(404, 'notFound', `Not found: Dataset ${project}:${call.names[0]}`);
    return dataset(match);
  }

  function list(call: ServiceCall): object {
    // One dataset per page, so that clients must follow pages.
    const at = Number(call.query['pageToken'] ?? 0);
    const next = at + 1 < datasets.length ? { nextPageToken: String(at + 1) } : {};
    return { kind: 'bigquery#datasetList', datasets: datasets.slice(at, at + 1).map(dataset), ...next };
  }

  function routine({ names: [datasetId = '', routineId = ''] }: ServiceCall): object {
    const storedRoutine = routines.get(routineId);
    if (!storedRoutine || datasetId !== 'shop') throw new ServiceError(404, 'notFound', 'Not found: Routine');
    return { routineReference: { projectId: project, datasetId, routineId }, ...storedRoutine };
  }

  const handlers: Readonly<Record<MethodName, (call: ServiceCall) => object | Promise<object>>> = {
    'jobs.insert': insert,
    'jobs.query': query,
    'jobs.getQueryResults': results,
    'jobs.cancel': cancel,
    'datasets.list': list,
    'datasets.get': one,
    'routines.get': routine,
  };
  return {
    asked,
    give: (pattern, result) => void given.push([pattern, result]),
    callIt: (pattern, type) => void called.push([pattern, type]),
    call: async (call) => {
      asked.push(presentCall(call));
      return handlers[call.method](call);
    },
    runningJobs: () =>
      [...jobs.values()].filter(
        ({ endsAt, stopped }) =>
          !stopped.signal.aborted && (endsAt ?? Number.POSITIVE_INFINITY) > performance.now(),
      ).length,
    close: shop.close,
  };
}

type QueryBody = {
  readonly query: string;
  readonly maximumBytesBilled?: string;
  readonly queryParameters?: readonly {
    readonly name: string;
    readonly parameterType: { readonly type: string };
    readonly parameterValue: { readonly value: string | null };
  }[];
};

function presentCall({ method, scope, query, body }: ServiceCall): Asked {
  const text = JSON.stringify(body ?? {});
  const sql = /"query":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  return { method, scope, query, body, ...(sql !== undefined && { sql: JSON.parse(sql) as string }) };
}

const presentRows = ({ fields, rows }: ShopResult): GivenResult => ({ fields, rows });

function asService<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StatementFault)) throw error;
    throw new ServiceError(error.reason === 'notFound' ? 404 : 400, error.reason, error.message);
  }
}

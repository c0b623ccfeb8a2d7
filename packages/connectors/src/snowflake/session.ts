import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BoundValue } from '../bound-value.ts';
import { startDeadline, unlessAborted } from '../deadline.ts';
import type { ConnectorError } from '../error.ts';
import { type HttpAnswer, type HttpClient, openHttpClient } from '../http/client.ts';
import { readJson } from '../http/json/small-json.ts';
import type { CallOptions, Dial, ExecuteOptions } from '../port.ts';
import { assertHandle, readHandle, refusedBy } from './answer/answer.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import { connectionError, type SentText } from './errors.ts';
import { bindingsOf } from './parameters.ts';
import { keptName, type SnowflakeConnection, targetOf } from './settings.ts';

/** Statement and values of one request. */
export type Request = {
  readonly sql: string;
  readonly values?: readonly BoundValue[];
  /** Text in which the service's error positions are reported. */
  readonly sent?: SentText;
};

/** One call to an account. It uses its own connection, which ends with the call. */
export type Session = {
  readonly connection: SnowflakeConnection;
  /** Runs a statement. Resolves with the first part of its result. The handle requests further parts. */
  readonly ask: (request: Request) => Promise<{ readonly handle: string; readonly answer: HttpAnswer }>;
  /** Requests a further part of a result, by its number from 1. */
  readonly askPart: (handle: string, part: number) => Promise<HttpAnswer>;
  /** Converts any failure into the port's error. */
  readonly explain: (error: unknown) => ConnectorError;
  /** Ends the session after all rows were read. */
  readonly finish: () => Promise<void>;
  /** Cancels the running statement. May be called at any time, and never rejects. */
  readonly abandon: () => Promise<void>;
};

const ok = 200;
const stillRuns = 202;
/** Delays between requests for the state of a statement. */
const pollDelaysMs = [20, 50, 100, 200, 400, 800];
const pollDelayMaxMs = 1_000;
const cancelTimeoutMs = 5_000;

/** Creates a session. The connection opens with the first request. */
export async function openSession(
  connection: SnowflakeConnection,
  options: Pick<CallOptions, 'dial' | 'signal' | 'timeoutMs'> & Pick<ExecuteOptions, 'noteRetry'>,
): Promise<Session> {
  const deadline = startDeadline(options);
  const aborted = deadline.signal;
  const network = new AbortController();
  const caller = {
    ...(await openCaller(connection, options.dial, network.signal)),
    noteRetry: options.noteRetry,
  };
  /** Handle of the running statement, after the service has returned it. */
  let running: Promise<string | undefined> | undefined;

  const finish = async (): Promise<void> => {
    aborted.removeEventListener('abort', onAbort);
    running = undefined;
    deadline.dispose();
    network.abort();
    await caller.client.close();
  };
  const endStatement = async (): Promise<void> => {
    const current = running;
    // Waits for the handle of a pending submission: only a handle allows cancelling.
    const handle =
      current && (await Promise.race([current, delay(cancelTimeoutMs, undefined, { ref: false })]));
    await Promise.all([
      finish(),
      handle === undefined ? undefined : cancel(connection, handle, options.dial),
    ]);
  };
  let ending: Promise<void> | undefined;
  const abandon = (): Promise<void> => {
    ending ??= endStatement();
    return ending;
  };
  // Cancels immediately, even if no caller is reading rows.
  const onAbort = () => void abandon();
  aborted.addEventListener('abort', onAbort, { once: true });

  async function submit(request: Request): Promise<{ answer: HttpAnswer; handle?: string }> {
    aborted.throwIfAborted();
    const body = bodyOf(connection, request, deadline.remainingMs());
    const submission = send(caller, { path: submissionPath(), body }, aborted).then(async (answer) =>
      answer.status === stillRuns ? { answer, handle: readHandle(await readJson(answer)) } : { answer },
    );
    running = submission.then(
      ({ handle }) => handle,
      () => undefined,
    );
    return unlessAborted(submission, aborted);
  }
  const get = (path: string): Promise<HttpAnswer> => unlessAborted(send(caller, { path }, aborted), aborted);

  async function ask(request: Request) {
    const { answer, handle = '' } = await submit(request);
    if (handle === '' && answer.status !== ok) throw await refusedBy(answer, connection, request.sent);
    let current = answer;
    for (let polls = 0; current.status === stillRuns; polls++) {
      await delay(pollDelaysMs[polls] ?? pollDelayMaxMs, undefined, { signal: aborted });
      // The path is built from the known handle. The address in the answer is ignored.
      current = await get(pathOf(handle));
      if (current.status === stillRuns) assertHandle(await readJson(current), handle);
    }
    running = undefined;
    if (current.status !== ok) throw await refusedBy(current, connection, request.sent);
    return { handle, answer: current };
  }
  return {
    connection,
    ask,
    askPart: async (handle, part) => {
      const answer = await get(`${pathOf(handle)}?partition=${part}`);
      if (answer.status === ok) return answer;
      throw await refusedBy(answer, connection);
    },
    explain: (error) => deadline.reason() ?? connectionError(error, connection),
    finish,
    abandon,
  };
}

const statementsPath = '/api/v2/statements';
const pathOf = (handle: string): string => `${statementsPath}/${handle}`;

/** Returns a path with a unique request id: a repeated submission does not run twice. */
const submissionPath = (): string => `${statementsPath}?requestId=${randomUUID()}&async=true&nullable=true`;

/** One statement only; the same formats in any account; no silent truncation. */
const parameters = {
  multi_statement_count: 1,
  timezone: 'UTC',
  binary_output_format: 'HEX',
  rows_per_resultset: 0,
  query_tag: 'svc',
};

function bodyOf(connection: SnowflakeConnection, { sql, values = [] }: Request, timeoutMs: number): string {
  return JSON.stringify({
    statement: sql,
    // Slightly longer than our own limit, so that ours is reported first.
    timeout: Math.ceil(timeoutMs / 1_000) + 1,
    role: keptName(connection.role),
    warehouse: keptName(connection.warehouse),
    database: keptName(connection.database),
    schema: keptName(connection.schema),
    parameters,
    ...(values.length > 0 && { bindings: bindingsOf(values) }),
  });
}

type Caller = Pick<ExecuteOptions, 'noteRetry'> & {
  readonly client: HttpClient;
  readonly credentials: Credentials;
};

const openCaller = async (
  connection: SnowflakeConnection,
  dial: Dial,
  signal: AbortSignal,
): Promise<Caller> => ({
  client: await openHttpClient(targetOf(connection), { dial, signal }),
  credentials: credentialsOf(connection),
});

/** Statuses of a service that did not process the request, which is then repeated. */
const busyStatuses = new Set([429, 503, 504]);
const busyDelaysMs = [500, 1_000, 2_000];
const busyDelaySpread = 0.5;

/** Sends a request; with a body it is a POST. */
async function send(
  { client, credentials, noteRetry }: Caller,
  { path, body }: { readonly path: string; readonly body?: string },
  aborted: AbortSignal,
): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt++) {
    const headers = {
      ...(await credentials.headers()),
      accept: 'application/json',
      'user-agent': 'Svc/1.0',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const answer = await (body === undefined
      ? client.get({ path, headers })
      : client.post({ path, headers, body }));
    const delayMs = busyDelaysMs[attempt];
    if (!busyStatuses.has(answer.status) || delayMs === undefined) return answer;
    await readJson(answer);
    const waitMs = Math.round(delayMs * (1 + Math.random() * busyDelaySpread));
    await delay(waitMs, undefined, { signal: aborted });
    noteRetry?.(waitMs);
  }
}

/** Cancels a statement, on a separate connection. */
async function cancel(connection: SnowflakeConnection, handle: string, dial: Dial): Promise<void> {
  const signal = AbortSignal.timeout(cancelTimeoutMs);
  const caller = await openCaller(connection, dial, signal);
  try {
    await readJson(await send(caller, { path: `${pathOf(handle)}/cancel`, body: '' }, signal));
  } catch {
    // No further step is needed: the service ends a statement after its time limit.
  } finally {
    await caller.client.close();
  }
}

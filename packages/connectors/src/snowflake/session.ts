import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BoundValue } from '../bound-value.ts';
import { startDeadline, unlessAborted } from '../deadline.ts';
import type { ConnectorError } from '../error.ts';
import { type HttpAnswer, type HttpClient, openHttpClient } from '../http/client.ts';
import { readJson } from '../http/small-json.ts';
import type { CallOptions, Dial, ExecuteOptions } from '../port.ts';
import { assertHandle, readHandle, refusedBy } from './answer.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import { connectionError, type SentText } from './errors.ts';
import { bindingsOf } from './parameters.ts';
import { keptName, type SnowflakeConnection, targetOf } from './settings.ts';

/** A statement as it is sent. */
export type Request = {
  readonly sql: string;
  readonly values?: readonly BoundValue[];
  /** The text that the service's places are told in. */
  readonly sent?: SentText;
};

/** One call towards an account: a connection of its own that is dropped afterwards. */
export type Session = {
  readonly connection: SnowflakeConnection;
  /** Runs a statement; resolves with the first part of its result. Its handle asks for further parts. */
  readonly ask: (request: Request) => Promise<{ readonly handle: string; readonly answer: HttpAnswer }>;
  /** A further part of a result, by its number from 1. */
  readonly askPart: (handle: string, part: number) => Promise<HttpAnswer>;
  /** The port's error for whatever went wrong. */
  readonly explain: (error: unknown) => ConnectorError;
  /** Everything is read to its end. */
  readonly finish: () => Promise<void>;
  /** Ends what runs at the service. May be called at any time, and never rejects. */
  readonly abandon: () => Promise<void>;
};

const ok = 200;
const stillRuns = 202;
/** How long to wait before a statement is asked for again. */
const pollDelaysMs = [20, 50, 100, 200, 400, 800];
const pollDelayMaxMs = 1_000;
const cancelTimeoutMs = 5_000;

/** Opens nothing before the first request. */
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
  /** The handle of the statement that runs, once the service has told it. */
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
    // A submission goes on until it has told the handle: without it nothing could be ended.
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
  // At once, whether or not somebody is reading rows.
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
    for (let asked = 0; current.status === stillRuns; asked++) {
      await delay(pollDelaysMs[asked] ?? pollDelayMaxMs, undefined, { signal: aborted });
      // Where to ask is ours to say: the address that the answer holds is not looked at.
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

/** A number for each submission: one that is sent again is not run twice. */
const submissionPath = (): string => `${statementsPath}?requestId=${randomUUID()}&async=true&nullable=true`;

/** One statement; values as they are in any account; nothing cut silently. */
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
    // A little longer than our own limit, so that ours is what people are told.
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

/** Answers of a service that did not take the request: it is sent again. */
const busyStatuses = new Set([429, 503, 504]);
const busyDelaysMs = [500, 1_000, 2_000];
const busyDelaySpread = 0.5;

/** With a body it is a POST. */
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

/** Ends a statement on a connection of its own. */
async function cancel(connection: SnowflakeConnection, handle: string, dial: Dial): Promise<void> {
  const signal = AbortSignal.timeout(cancelTimeoutMs);
  const caller = await openCaller(connection, dial, signal);
  try {
    await readJson(await send(caller, { path: `${pathOf(handle)}/cancel`, body: '' }, signal));
  } catch {
    // Nothing is left to do: the service ends a statement whose time is over.
  } finally {
    await caller.client.close();
  }
}

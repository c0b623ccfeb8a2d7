import { setTimeout as delay } from 'node:timers/promises';
import type { BoundValue } from '../bound-value.ts';
import { startDeadline, unlessAborted } from '../deadline.ts';
import type { ConnectorError } from '../error.ts';
import { type HttpAnswer, type HttpClient, openHttpClient } from '../http/client.ts';
import { property } from '../http/json/json-property.ts';
import { readJson } from '../http/json/small-json.ts';
import type { CallOptions, Dial } from '../port.ts';
import { type ReadLimits, readId, readStatement, refusedBy, type StatementAnswer } from './answer/answer.ts';
import { connectionError, inlineBytesMax, type SentText, unreadableAnswer } from './errors.ts';
import { parametersOf } from './parameters.ts';
import { type DatabricksConnection, targetOf } from './settings.ts';
import { secretsOf, type Tokens } from './tokens.ts';

/** Statement and values of one request. */
export type Request = {
  readonly sql: string;
  readonly values?: readonly BoundValue[];
  /** Text in which the service's error positions are reported. */
  readonly sent?: SentText;
};

/** Limits of a statement's result. To detect a longer result, the caller adds one row to `rowLimit`. */
export type RequestLimits = ReadLimits & { readonly rowLimit: number };

export type Succeeded = Extract<StatementAnswer, { state: 'succeeded' }>;

/** One call to a warehouse. It has its own session, on a connection that ends with the call. */
export type Session = {
  readonly connection: DatabricksConnection;
  /** Runs a statement. Resolves when its columns are known. */
  readonly ask: (request: Request, limits: RequestLimits) => Promise<Succeeded>;
  /** Requests a further chunk of a result, by its number from 1. */
  readonly askChunk: (id: string, chunk: number) => Promise<HttpAnswer>;
  /** Texts that no message may repeat. */
  readonly secrets: () => readonly string[];
  /** Converts any failure into the port's error. */
  readonly explain: (error: unknown) => ConnectorError;
  /** Ends the session after all rows were read. */
  readonly finish: () => Promise<void>;
  /** Cancels the running statement. May be called at any time, and never rejects. */
  readonly abandon: () => Promise<void>;
};

const ok = 200;
/** Delays between requests for the state of a statement. */
const pollDelaysMs = [20, 50, 100, 200, 400, 800];
const pollDelayMaxMs = 1_000;
const endTimeoutMs = 5_000;

/** Connects to the workspace. The session opens with the first request. */
export async function openSession(
  connection: DatabricksConnection,
  tokens: Tokens,
  options: Pick<CallOptions, 'dial' | 'signal' | 'timeoutMs'>,
): Promise<Session> {
  const deadline = startDeadline(options);
  const aborted = deadline.signal;
  const network = new AbortController();
  const sent = new Set<string>();
  const secrets = (): string[] => [...sent, ...secretsOf(connection)];
  const caller = await openCaller({ connection, tokens, sent, dial: options.dial, signal: network.signal });
  /** Id of the opened session, after the service has returned it. */
  let opening: Promise<string | undefined> | undefined;
  /** Id of the running statement, after the service has returned it. */
  let running: Promise<string | undefined> | undefined;

  const leave = (): void => {
    aborted.removeEventListener('abort', onAbort);
    deadline.dispose();
  };
  const close = async (): Promise<void> => {
    network.abort();
    await caller.client.close();
  };
  let ending: Promise<void> | undefined;
  const finish = async (): Promise<void> => {
    leave();
    running = undefined;
    const session = await opening;
    // Not awaited: the caller already has all rows.
    ending ??= endOpened(caller, session).then(close);
  };
  const endAll = async (): Promise<void> => {
    leave();
    // Waits for the ids of pending requests: only an id allows cancelling.
    const [statement, session] = await Promise.all([inTime(running), inTime(opening)]);
    await Promise.all([close(), endElsewhere(caller, { statement, session })]);
  };
  const abandon = (): Promise<void> => {
    ending ??= endAll();
    return ending;
  };
  // Cancels immediately, even if no caller is reading rows.
  const onAbort = () => void abandon();
  aborted.addEventListener('abort', onAbort, { once: true });

  const contextOf = (text?: SentText) => ({ connection, secrets: secrets(), sent: text });
  /** Retains the id of a request even if the caller no longer waits for its answer. */
  const idOf = (work: Promise<{ readonly id?: string }>): Promise<string | undefined> =>
    work.then(
      ({ id }) => id,
      () => undefined,
    );
  const send = (request: CallerRequest): Promise<HttpAnswer> =>
    unlessAborted(caller.send(request, aborted), aborted);

  async function openedSession(): Promise<string> {
    aborted.throwIfAborted();
    if (!opening) {
      const body = sessionBody(connection, deadline.remainingMs());
      const work = caller.send({ path: sessionsPath, body }, aborted).then(async (answer) => {
        if (answer.status !== ok) throw await refusedBy(answer, contextOf());
        return { id: readId(property(await readJson(answer), 'session_id')) };
      });
      opening = idOf(work);
      await unlessAborted(work, aborted);
    }
    const id = await opening;
    if (id === undefined) throw unreadableAnswer();
    return id;
  }

  async function submit(request: Request, limits: RequestLimits): Promise<StatementAnswer> {
    const session = await openedSession();
    aborted.throwIfAborted();
    const body = statementBody({ connection, session, request, limits });
    const work = caller.send({ path: statementsPath, body }, aborted).then(async (answer) => {
      if (answer.status !== ok) throw await refusedBy(answer, contextOf(request.sent));
      return readStatement(answer, limits, contextOf(request.sent));
    });
    running = idOf(work.then((read) => ('id' in read ? { id: read.id } : {})));
    return unlessAborted(work, aborted);
  }

  async function ask(request: Request, limits: RequestLimits): Promise<Succeeded> {
    let current = await submit(request, limits);
    for (let polls = 0; current.state === 'running'; polls++) {
      await delay(pollDelaysMs[polls] ?? pollDelayMaxMs, undefined, { signal: aborted });
      const { id } = current;
      const answer = await send({ path: `${statementsPath}/${id}` });
      if (answer.status !== ok) throw await refusedBy(answer, contextOf(request.sent));
      current = await unlessAborted(readStatement(answer, limits, contextOf(request.sent), id), aborted);
    }
    running = undefined;
    if (current.state === 'failed') throw current.error;
    return current;
  }
  return {
    connection,
    ask,
    secrets,
    finish,
    abandon,
    askChunk: async (id, chunk) => {
      // The path is built from known ids. The link in the answer is ignored.
      const answer = await send({ path: `${statementsPath}/${id}/result/chunks/${chunk}` });
      if (answer.status === ok) return answer;
      throw await refusedBy(answer, contextOf());
    },
    explain: (error) => deadline.reason() ?? connectionError(error, connection),
  };
}

const sessionsPath = '/api/2.0/sql/sessions';
const statementsPath = '/api/2.0/sql/statements';

function sessionBody({ warehouseId, catalog, schema }: DatabricksConnection, timeoutMs: number): string {
  return JSON.stringify({
    warehouse_id: warehouseId,
    catalog,
    schema,
    session_confs: {
      timezone: 'UTC',
      ansi_mode: 'true',
      // Ends a statement after a lost connection. Slightly longer than our own limit, which is then reported first.
      statement_timeout: String(Math.ceil(timeoutMs / 1_000) + 1),
    },
  });
}

type StatementParts = {
  readonly connection: DatabricksConnection;
  readonly session: string;
  readonly request: Request;
  readonly limits: RequestLimits;
};

/** Requests an immediate answer, so that the statement's id is known and it can be cancelled. */
function statementBody({ connection, session, request, limits }: StatementParts): string {
  const { sql, values = [] } = request;
  return JSON.stringify({
    warehouse_id: connection.warehouseId,
    session_id: session,
    statement: sql,
    wait_timeout: '0s',
    on_wait_timeout: 'CONTINUE',
    // Never EXTERNAL_LINKS: they refer to other hosts.
    disposition: 'INLINE',
    format: 'JSON_ARRAY',
    row_limit: limits.rowLimit,
    byte_limit: Math.min(limits.maxBytes, inlineBytesMax),
    ...(values.length > 0 && { parameters: parametersOf(values) }),
  });
}

/** Request of a caller. With a body it is a POST. */
type CallerRequest = {
  readonly path: string;
  readonly body?: string;
  readonly isDelete?: boolean;
};

type CallerOptions = {
  readonly connection: DatabricksConnection;
  readonly tokens: Tokens;
  /** Tokens sent so far, to be hidden in messages. */
  readonly sent: Set<string>;
  readonly dial: Dial;
  readonly signal: AbortSignal;
};

/** One connection to a workspace. It authenticates each request. */
type Caller = {
  readonly options: CallerOptions;
  readonly client: HttpClient;
  readonly send: (request: CallerRequest, aborted: AbortSignal) => Promise<HttpAnswer>;
};

/** Statuses of a service that did not process the request, which is then repeated. */
const busyStatuses = new Set([429, 503]);
const busyDelaysMs = [500, 1_000, 2_000];
const busyDelaySpread = 0.5;

async function openCaller(options: CallerOptions): Promise<Caller> {
  const { connection, tokens, sent, dial, signal } = options;
  const client = await openHttpClient(targetOf(connection), { dial, signal });
  async function sendOnce({ path, body, isDelete }: CallerRequest): Promise<HttpAnswer> {
    const token = await tokens.get(connection, { dial, signal });
    sent.add(token);
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': 'Svc/1.0',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const answer = await (body !== undefined
      ? client.post({ path, headers, body })
      : isDelete
        ? client.delete({ path, headers })
        : client.get({ path, headers }));
    if (answer.status === 401) tokens.forget(token);
    return answer;
  }
  return {
    options,
    client,
    send: async (request, aborted) => {
      for (let attempt = 0; ; attempt++) {
        const answer = await sendOnce(request);
        const waitMs = busyDelaysMs[attempt];
        if (!busyStatuses.has(answer.status) || waitMs === undefined) return answer;
        await readJson(answer);
        await delay(waitMs * (1 + Math.random() * busyDelaySpread), undefined, { signal: aborted });
      }
    },
  };
}

/** Waits for an id for at most `endTimeoutMs`. */
const inTime = (id: Promise<string | undefined> | undefined): Promise<string | undefined> =>
  Promise.race([id, delay(endTimeoutMs, undefined, { ref: false })]);

/** Deletes a session. A failure is ignored: the service ends idle sessions. */
async function endOpened(caller: Caller, session: string | undefined): Promise<void> {
  if (session === undefined) return;
  const { warehouseId } = caller.options.connection;
  const path = `${sessionsPath}/${session}?${new URLSearchParams({ warehouse_id: warehouseId })}`;
  const signal = AbortSignal.timeout(endTimeoutMs);
  await unlessAborted(caller.send({ path, isDelete: true }, signal).then(readJson), signal).catch(
    () => undefined,
  );
}

type Opened = Readonly<Record<'statement' | 'session', string | undefined>>;

/** Cancels a statement and deletes its session, on a separate connection. */
async function endElsewhere({ options }: Caller, { statement, session }: Opened): Promise<void> {
  if (statement === undefined && session === undefined) return;
  const signal = AbortSignal.timeout(endTimeoutMs);
  const caller = await openCaller({ ...options, signal });
  try {
    if (statement !== undefined)
      await readJson(
        await caller.send({ path: `${statementsPath}/${statement}/cancel`, body: '{}' }, signal),
      );
    await endOpened(caller, session);
  } catch {
    // No further step is needed: the service ends a statement after its time limit.
  } finally {
    await caller.client.close();
  }
}

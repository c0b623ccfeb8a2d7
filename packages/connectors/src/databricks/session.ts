import { setTimeout as delay } from 'node:timers/promises';
import type { BoundValue } from '../bound-value.ts';
import { startDeadline, unlessAborted } from '../deadline.ts';
import type { ConnectorError } from '../error.ts';
import { type HttpAnswer, type HttpClient, openHttpClient } from '../http/client.ts';
import { property } from '../http/json-property.ts';
import { readJson } from '../http/small-json.ts';
import type { CallOptions, Dial } from '../port.ts';
import { type ReadLimits, readId, readStatement, refusedBy, type StatementAnswer } from './answer.ts';
import { connectionError, inlineBytesMax, type SentText, unreadableAnswer } from './errors.ts';
import { parametersOf } from './parameters.ts';
import { type DatabricksConnection, targetOf } from './settings.ts';
import { secretsOf, type Tokens } from './tokens.ts';

/** A statement as it is sent. */
export type Request = {
  readonly sql: string;
  readonly values?: readonly BoundValue[];
  /** The text that the service's places are told in. */
  readonly sent?: SentText;
};

/** Of a statement's result. One row more than `rowLimit` is asked for by whoever wants to know of it. */
export type RequestLimits = ReadLimits & { readonly rowLimit: number };

export type Succeeded = Extract<StatementAnswer, { state: 'succeeded' }>;

/** One call towards a warehouse: a session of its own, on a connection that is dropped afterwards. */
export type Session = {
  readonly connection: DatabricksConnection;
  /** Runs a statement; resolves when its columns are known. */
  readonly ask: (request: Request, limits: RequestLimits) => Promise<Succeeded>;
  /** A further chunk of a result, by its number from 1. */
  readonly askChunk: (id: string, chunk: number) => Promise<HttpAnswer>;
  /** What no message may repeat. */
  readonly secrets: () => readonly string[];
  /** The port's error for whatever went wrong. */
  readonly explain: (error: unknown) => ConnectorError;
  /** Everything is read to its end. */
  readonly finish: () => Promise<void>;
  /** Ends what runs at the service. May be called at any time, and never rejects. */
  readonly abandon: () => Promise<void>;
};

const ok = 200;
/** How long to wait before a statement is asked for again. */
const pollDelaysMs = [20, 50, 100, 200, 400, 800];
const pollDelayMaxMs = 1_000;
const endTimeoutMs = 5_000;

/** Opens nothing before the first request. */
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
  /** What was opened at the service, once it has told its id. */
  let opening: Promise<string | undefined> | undefined;
  /** The id of the statement that runs, once the service has told it. */
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
    // Nobody waits for it: the rows are there.
    ending ??= endOpened(caller, session).then(close);
  };
  const endAll = async (): Promise<void> => {
    leave();
    // A request goes on until it has told its id: without it nothing could be ended.
    const [statement, session] = await Promise.all([inTime(running), inTime(opening)]);
    await Promise.all([close(), endElsewhere(caller, { statement, session })]);
  };
  const abandon = (): Promise<void> => {
    ending ??= endAll();
    return ending;
  };
  // At once, whether or not somebody is reading rows.
  const onAbort = () => void abandon();
  aborted.addEventListener('abort', onAbort, { once: true });

  const asked = (text?: SentText) => ({ connection, secrets: secrets(), sent: text });
  /** Keeps the id that a request brings, whether or not somebody still waits for it. */
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
        if (answer.status !== ok) throw await refusedBy(answer, asked());
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
      if (answer.status !== ok) throw await refusedBy(answer, asked(request.sent));
      return readStatement(answer, limits, asked(request.sent));
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
      if (answer.status !== ok) throw await refusedBy(answer, asked(request.sent));
      current = await unlessAborted(readStatement(answer, limits, asked(request.sent), id), aborted);
    }
    running = undefined;
    if (current.state === 'failed') throw current.error;
    return current;
  }
  return {
    ...{ connection, ask, secrets, finish, abandon },
    askChunk: async (id, chunk) => {
      // Where to ask is ours to say: the link that the answer holds is not looked at.
      const answer = await send({ path: `${statementsPath}/${id}/result/chunks/${chunk}` });
      if (answer.status === ok) return answer;
      throw await refusedBy(answer, asked());
    },
    explain: (error) => deadline.reason() ?? connectionError(error, connection),
  };
}

const sessionsPath = '/api/2.0/sql/sessions';
const statementsPath = '/api/2.0/sql/statements';

function sessionBody({ warehouseId, catalog, schema }: DatabricksConnection, timeoutMs: number): string {
  return JSON.stringify({
    ...{ warehouse_id: warehouseId, catalog, schema },
    session_confs: {
      timezone: 'UTC',
      ansi_mode: 'true',
      // For a statement that we have lost: a little longer than our own limit, so that ours is what people are told.
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

/** Answered at once, so that the statement's id is known and it can be ended. */
function statementBody({ connection, session, request, limits }: StatementParts): string {
  const { sql, values = [] } = request;
  return JSON.stringify({
    ...{ warehouse_id: connection.warehouseId, session_id: session, statement: sql },
    ...{ wait_timeout: '0s', on_wait_timeout: 'CONTINUE' },
    // Never EXTERNAL_LINKS: they lead to other hosts.
    ...{ disposition: 'INLINE', format: 'JSON_ARRAY' },
    row_limit: limits.rowLimit,
    byte_limit: Math.min(limits.maxBytes, inlineBytesMax),
    ...(values.length > 0 && { parameters: parametersOf(values) }),
  });
}

/** With a body it is a POST. */
type CallerRequest = {
  readonly path: string;
  readonly body?: string;
  readonly isDelete?: boolean;
};

type CallerOptions = {
  readonly connection: DatabricksConnection;
  readonly tokens: Tokens;
  /** Tokens that were sent. */
  readonly sent: Set<string>;
  readonly dial: Dial;
  readonly signal: AbortSignal;
};

/** One connection to a workspace, on which requests are signed in. */
type Caller = {
  readonly options: CallerOptions;
  readonly client: HttpClient;
  readonly send: (request: CallerRequest, aborted: AbortSignal) => Promise<HttpAnswer>;
};

/** Answers of a service that did not take the request: it is sent again. */
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
      ...{ authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'Svc/1.0' },
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
    ...{ options, client },
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

/** What is told within a moment. */
const inTime = (told: Promise<string | undefined> | undefined): Promise<string | undefined> =>
  Promise.race([told, delay(endTimeoutMs, undefined, { ref: false })]);

/** Takes a session away. Nothing is left to do where that fails: the service ends one that is idle. */
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

/** Ends a statement and its session, on a connection of their own. */
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
    // Nothing is left to do: the service ends a statement whose time is over.
  } finally {
    await caller.client.close();
  }
}

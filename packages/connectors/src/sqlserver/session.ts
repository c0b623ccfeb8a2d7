import type { Request } from 'tedious';
import type { BoundValue } from '../bound-value.ts';
import { startDeadline } from '../deadline.ts';
import { ConnectorError } from '../error.ts';
import type { CallOptions } from '../port.ts';
import type { Cell } from '../values.ts';
import { type Answer, type AnswerLimits, createAnswer } from './answer/answer.ts';
import { attentionTimeoutMs, type Client, connectClient } from './connect.ts';
import { sqlserverError } from './errors.ts';
import { assertFit, type Login, loginStatement, readLogin } from './login.ts';
import { boundText } from './parameters.ts';
import type { SqlserverConnection } from './settings.ts';

/** Dedicated connection inside one transaction, which is always rolled back. */
export type Session = {
  readonly login: Login;
  /** Sends a statement with its values. The answer then receives its columns and rows. */
  readonly ask: (sql: string, values: readonly BoundValue[], limits: AnswerLimits) => Answer;
  /** Sends the service's own statements as a batch, outside of `sp_executesql`, so that their settings persist. */
  readonly askBatch: (sql: string, limits: AnswerLimits) => Answer;
  readonly explain: (error: unknown, sql?: string) => ConnectorError;
  /** Rolls back and closes. Never rejects. */
  readonly finish: () => Promise<void>;
  /** Cancels the running statement and closes the connection. Never rejects. */
  readonly abandon: () => Promise<void>;
};

const ownLimits: AnswerLimits = { maxBytes: 4 * 1024 * 1024, maxCellBytes: 64 * 1024 };
const farewellTimeoutMs = 1_000;

/** Connects, signs in, begins the transaction and queries the login's rights. */
export async function openSession(connection: SqlserverConnection, options: CallOptions): Promise<Session> {
  const deadline = startDeadline(options);
  let ended: (() => Promise<void>) | undefined;
  try {
    deadline.signal.throwIfAborted();
    const client = await connectClient({
      connection,
      dial: options.dial,
      signal: deadline.signal,
      timeoutMs: deadline.remainingMs(),
    });
    const requests = createRequests(client);
    let isOver = false;
    const end = (): boolean => {
      if (isOver) return false;
      isOver = true;
      deadline.signal.removeEventListener('abort', onDeadline);
      deadline.dispose();
      return true;
    };
    const abandon = async (): Promise<void> => {
      const reason = deadline.reason();
      if (end()) await requests.cancel(reason);
    };
    const finish = async (): Promise<void> => {
      if (!end()) return;
      await requests.rollBack();
      client.tds.close();
    };
    const onDeadline = () => void abandon();
    deadline.signal.addEventListener('abort', onDeadline, { once: true });
    ended = abandon;
    await rowsOf(requests.askBatch(beginning(deadline.remainingMs()), ownLimits));
    const login = readLogin(await rowsOf(requests.ask(loginStatement, [], ownLimits)));
    assertFit(login, connection, options);
    const explain = (error: unknown, sql?: string): ConnectorError =>
      deadline.reason() ?? sqlserverError(error, connection, sql);
    return { login, ask: requests.ask, askBatch: requests.askBatch, explain, finish, abandon };
  } catch (error) {
    const explained = deadline.reason() ?? sqlserverError(error, connection);
    void ended?.();
    deadline.dispose();
    throw explained;
  }
}

/** Returns all rows of an answer to the service's own statement. */
export async function rowsOf(answer: Answer): Promise<(readonly Cell[])[]> {
  const rows: (readonly Cell[])[] = [];
  await answer.columns;
  for (let next = await answer.take(); next; next = await answer.take()) rows.push(...next);
  return rows;
}

/**
 * Makes this session the victim of a deadlock, and limits waits for locks to the time of the call. The driver has set
 * quoting, NULLs, `READ COMMITTED`, and `XACT_ABORT`.
 */
const beginning = (timeoutMs: number): string =>
  `set deadlock_priority low; set lock_timeout ${Math.trunc(timeoutMs)}; begin transaction;`;

type Requests = Pick<Session, 'ask' | 'askBatch'> & {
  /** Requests a stop, waits for the server's answer, and closes. */
  readonly cancel: (reason: ConnectorError | undefined) => Promise<void>;
  readonly rollBack: () => Promise<void>;
};

/** Undeclared method of the driver that reads the bytes of a message. A test fails if the driver changes it. */
type TokenSource = {
  createTokenStreamParser: (message: AsyncIterable<Buffer>, handler: unknown) => Parser;
};
type Parser = { emit: (event: string, ...values: readonly unknown[]) => boolean };
type Running = {
  readonly answer: Answer;
  readonly done: Promise<void>;
  isRead: boolean;
  isOver: boolean;
};

function createRequests({ driver, tds }: Client): Requests {
  let running: Running | undefined;
  const source = tds as unknown as TokenSource;
  const parse = source.createTokenStreamParser.bind(tds);
  source.createTokenStreamParser = (message, handler) => {
    const current = running;
    if (!current) return parse(message, handler);
    // The answer to an attention is a separate message after the answer to its request.
    const parser = parse(current.isRead ? message : current.answer.passOn(message), handler);
    current.isRead = true;
    // If the connection ends while a message is read, the driver would access a request that no longer exists.
    const emit = parser.emit.bind(parser);
    parser.emit = (event, ...values) => !current.isOver && emit(event, ...values);
    return parser;
  };

  function send(sql: string, limits: AnswerLimits, start: (request: Request) => void): Answer {
    const answer = createAnswer(limits);
    const done = Promise.withResolvers<void>();
    const entry: Running = { answer, done: done.promise, isRead: false, isOver: false };
    const request = new driver.Request(sql, (error) => {
      entry.isOver = true;
      if (running === entry) running = undefined;
      if (error) answer.fail(error);
      else answer.end();
      done.resolve();
    });
    running = entry;
    start(request);
    return answer;
  }

  const askBatch: Session['askBatch'] = (sql, limits) =>
    send(sql, limits, (request) => tds.execSqlBatch(request));

  return {
    askBatch,
    ask: (sql, values, limits) =>
      send(sql, limits, (request) => {
        for (const [index, value] of values.entries())
          request.addParameter(`p${index + 1}`, driver.TYPES.NVarChar, boundText(value));
        tds.execSql(request);
      }),
    cancel: async (reason) => {
      const stopped = running;
      if (stopped) {
        stopped.answer.discard();
        stopped.answer.fail(reason ?? new ConnectorError('cancelled', 'The run was cancelled.'));
        tds.cancel();
        await within(stopped.done, attentionTimeoutMs);
      }
      tds.close();
    },
    rollBack: async () => {
      askBatch('if @@trancount > 0 rollback transaction;', ownLimits);
      if (running) await within(running.done, farewellTimeoutMs);
    },
  };
}

/** Resolves with the promise or after the time limit. */
async function within(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, timeoutMs);
  await Promise.race([promise, over.promise]);
  clearTimeout(timer);
}

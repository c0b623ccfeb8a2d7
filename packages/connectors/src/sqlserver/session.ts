import type { Request } from 'tedious';
import type { BoundValue } from '../bound-value.ts';
import { startDeadline } from '../deadline.ts';
import { ConnectorError } from '../error.ts';
import type { CallOptions } from '../port.ts';
import type { Cell } from '../values.ts';
import { type Answer, type AnswerLimits, createAnswer } from './answer.ts';
import { attentionTimeoutMs, type Client, connectClient } from './connect.ts';
import { sqlserverError } from './errors.ts';
import { assertFit, type Login, loginStatement, readLogin } from './login.ts';
import { boundText } from './parameters.ts';
import type { SqlserverConnection } from './settings.ts';

/** A connection of its own inside one transaction, which is always rolled back. */
export type Session = {
  readonly login: Login;
  /** Sends a statement with its values; the columns and rows of its answer follow. */
  readonly ask: (sql: string, values: readonly BoundValue[], limits: AnswerLimits) => Answer;
  /** Sends statements of ours as a batch, outside of `sp_executesql`: what they set stays set. */
  readonly askBatch: (sql: string, limits: AnswerLimits) => Answer;
  readonly explain: (error: unknown, sql?: string) => ConnectorError;
  /** Rolls back and closes. Never rejects. */
  readonly finish: () => Promise<void>;
  /** Ends what runs at the server, and the connection with it. Never rejects. */
  readonly abandon: () => Promise<void>;
};

const ownLimits: AnswerLimits = { maxBytes: 4 * 1024 * 1024, maxCellBytes: 64 * 1024 };
const farewellTimeoutMs = 1_000;

/** Connects, signs in, begins the transaction and asks what the login may do. */
export async function openSession(connection: SqlserverConnection, options: CallOptions): Promise<Session> {
  const deadline = startDeadline(options);
  let ended: (() => Promise<void>) | undefined;
  try {
    deadline.signal.throwIfAborted();
    const client = await connectClient({
      ...{ connection, dial: options.dial, signal: deadline.signal },
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

/** All rows of an answer that is ours. */
export async function rowsOf(answer: Answer): Promise<(readonly Cell[])[]> {
  const rows: (readonly Cell[])[] = [];
  await answer.columns;
  for (let next = await answer.take(); next; next = await answer.take()) rows.push(...next);
  return rows;
}

/**
 * In a deadlock this side gives way, and it waits for locks as long as the call lasts. The driver has set quoting,
 * NULLs, `READ COMMITTED`, and `XACT_ABORT`.
 */
const beginning = (timeoutMs: number): string =>
  `set deadlock_priority low; set lock_timeout ${Math.trunc(timeoutMs)}; begin transaction;`;

type Requests = Pick<Session, 'ask' | 'askBatch'> & {
  /** Tells the server to stop, waits for its word, and closes. */
  readonly cancel: (reason: ConnectorError | undefined) => Promise<void>;
  readonly rollBack: () => Promise<void>;
};

/** What the driver does not declare: where the bytes of a message are read. One test fails where it has moved. */
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
    const own = running;
    if (!own) return parse(message, handler);
    // An attention has a message of its own behind that of its request.
    const parser = parse(own.isRead ? message : own.answer.passOn(message), handler);
    own.isRead = true;
    // Where the connection ends while a message is read, the driver would look for the request that it has given up.
    const emit = parser.emit.bind(parser);
    parser.emit = (event, ...values) => !own.isOver && emit(event, ...values);
    return parser;
  };

  function send(sql: string, limits: AnswerLimits, start: (request: Request) => void): Answer {
    const answer = createAnswer(limits);
    const done = Promise.withResolvers<void>();
    const own: Running = { answer, done: done.promise, isRead: false, isOver: false };
    const request = new driver.Request(sql, (error) => {
      own.isOver = true;
      if (running === own) running = undefined;
      if (error) answer.fail(error);
      else answer.end();
      done.resolve();
    });
    running = own;
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

/** Resolves with the promise or when the time is over. */
async function within(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, timeoutMs);
  await Promise.race([promise, over.promise]);
  clearTimeout(timer);
}

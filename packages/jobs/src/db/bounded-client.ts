import {
  awaitsAnswer,
  backendKeyOf,
  destroySession,
  dropDriverTimeout,
  followReady,
  timeoutOf,
  withoutDriverTimeout,
} from '@svc/pg-wire';
import pg from 'pg';

/** Time limits of a session. Every session needs them: a network that drops packets reports no error. */
export type SessionBounds = {
  /**
   * Deadline of each statement in ms, from the time that it is sent until the server is ready for the next statement.
   * When it passes, the statement fails, the socket is destroyed, and the session is not used again.
   */
  readonly answerTimeoutMs: number;
  /**
   * Interval in ms at which another session queries whether the server still executes the statement. Intended for
   * statements that are long by design. Default: no check.
   */
  readonly checkEveryMs?: number;
};

/** Error of a statement whose deadline passed. The effect of the statement is unknown: a `COMMIT` may have succeeded. */
class AnswerTimeoutError extends Error {
  readonly code = 'ETIMEDOUT';
}

const answerTimeoutMsDefault = 30_000;
const connectTimeoutMsDefault = 10_000;
/** Idle time of a connection before TCP keepalive probes begin. They detect a lost connection about 10 s later. */
const keepAliveDelayMs = 10_000;
/** Time for the server to close an ended session. Afterwards the socket is destroyed. */
const goodbyeMs = 2_000;
const checkTimeoutMs = 5_000;
/** Number of consecutive `Lost` checks that end a session. A response may be in transit during the first. */
const lostChecks = 3;

type Check = 'Executing' | 'Lost' | 'Unknown';

/**
 * A `pg` client with deadlines. The driver's `query_timeout` rejects a statement but leaves its session open, so the
 * next statement queues after it. This client destroys the session instead.
 *
 * One timer serves all statements of a session. It is set only when none is active, so a statement costs two clock
 * reads.
 */
export class BoundedClient extends pg.Client {
  /** Called after the deadline of a statement passed, with the time at which the statement was sent. */
  onSilent: ((error: Error, sinceMs: number) => void) | null = null;
  readonly #config: pg.ClientConfig;
  readonly #bounds: SessionBounds;
  #boundMs: number;
  #sinceMs = 0;
  #heardAtMs = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #firesAtMs = Number.POSITIVE_INFINITY;
  #agreed = 0;

  constructor(config: pg.ClientConfig & SessionBounds) {
    super(config);
    dropDriverTimeout(this);
    requireBound('answerTimeoutMs', config.answerTimeoutMs);
    if (config.checkEveryMs !== undefined) requireBound('checkEveryMs', config.checkEveryMs);
    this.#config = config;
    this.#bounds = config;
    this.#boundMs = config.answerTimeoutMs;
    followReady(this, () => {
      this.#heardAtMs = performance.now();
      this.#sinceMs = this.#heardAtMs;
      this.#agreed = 0;
    });
    this.once('end', () => clearTimeout(this.#timer));
  }

  /** Time of the monotonic clock at which the server was last ready for a statement. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  override query = ((...args: unknown[]) => {
    const [query] = args;
    const isIdle = !awaitsAnswer(this);
    const sent = withoutDriverTimeout(query, () => this.#send(args));
    if (isIdle) {
      this.#sinceMs = performance.now();
      this.#agreed = 0;
      this.#boundMs = this.#bounds.answerTimeoutMs;
    }
    this.#boundMs = Math.min(this.#boundMs, timeoutOf(query) ?? Number.POSITIVE_INFINITY);
    this.#watch(Math.min(this.#boundMs, this.#bounds.checkEveryMs ?? Number.POSITIVE_INFINITY));
    return sent;
  }) as pg.Client['query'];

  /** Ends the session. Destroys the socket when the server does not close the session within 2 s. */
  override end = ((...args: [callback?: () => void]) => {
    const timer = setTimeout(() => destroySession(this), goodbyeMs).unref();
    this.once('end', () => clearTimeout(timer));
    return this.#end(args);
  }) as pg.Client['end'];

  #send(args: readonly unknown[]): unknown {
    return Reflect.apply(pg.Client.prototype.query, this, args);
  }

  #end(args: readonly unknown[]): unknown {
    return Reflect.apply(pg.Client.prototype.end, this, args);
  }

  /** Ensures that the timer fires within `withinMs` of the start of the statement. */
  #watch(withinMs: number): void {
    const at = this.#sinceMs + withinMs;
    if (this.#firesAtMs <= at) return;
    clearTimeout(this.#timer);
    this.#firesAtMs = at;
    // `setImmediate` lets Node read a response that arrived while the process was busy. The timer does not keep the
    // process alive; the socket does.
    this.#timer = setTimeout(
      () => setImmediate(() => this.#look()),
      Math.max(0, at - performance.now()),
    ).unref();
  }

  #look(): void {
    this.#firesAtMs = Number.POSITIVE_INFINITY;
    if (!awaitsAnswer(this)) return;
    const elapsedMs = performance.now() - this.#sinceMs;
    const { checkEveryMs = Number.POSITIVE_INFINITY } = this.#bounds;
    if (elapsedMs >= this.#boundMs) this.#giveUp(`did not answer within ${this.#boundMs} ms`);
    else if (elapsedMs >= checkEveryMs) void this.#check(this.#sinceMs, elapsedMs + checkEveryMs);
    else this.#watch(Math.min(this.#boundMs, checkEveryMs));
  }

  /** Queries whether the server still executes the statement sent at `sinceMs`, and sets the timer for the next check. */
  async #check(sinceMs: number, nextMs: number): Promise<void> {
    const result = await askServer(this.#config, backendKeyOf(this)?.processId);
    // Another statement or none is active now. Its timer may be set already.
    if (this.#sinceMs !== sinceMs || !awaitsAnswer(this)) {
      this.#watch(this.#boundMs);
      return;
    }
    this.#agreed = result === 'Lost' ? this.#agreed + 1 : 0;
    if (this.#agreed >= lostChecks) this.#giveUp('does not execute the statement of this session any more');
    else this.#watch(Math.min(this.#boundMs, nextMs));
  }

  #giveUp(reason: string): void {
    const error = new AnswerTimeoutError(`The database ${reason}; the session was closed.`);
    const sinceMs = this.#sinceMs;
    destroySession(this, error);
    this.onSilent?.(error, sinceMs);
  }
}

/** Adds the settings of every session: a statement deadline, keepalive probes, and a connect timeout. */
export const withSessionDefaults = <C extends pg.ClientConfig & Partial<SessionBounds>>(
  config: C,
): C & SessionBounds => ({
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveDelayMs,
  ...config,
  answerTimeoutMs: config.answerTimeoutMs ?? answerTimeoutMsDefault,
  // In `pg`, 0 means no limit.
  connectionTimeoutMillis: config.connectionTimeoutMillis || connectTimeoutMsDefault,
});

function requireBound(name: string, ms: number): void {
  // The maximum delay of a Node timer is 2^31 - 1 ms. A timer with a longer delay fires immediately.
  if (!(ms >= 1 && ms <= 0x7fffffff)) throw new RangeError(`${name} must be from 1 to 2147483647 ms: ${ms}.`);
}

/**
 * Queries in a separate session whether a server process executes a statement. An unreachable server counts as `Lost`.
 * A refusal by the server, such as too many connections, counts as `Unknown`.
 */
async function askServer(config: pg.ClientConfig, processId: number | undefined): Promise<Check> {
  const { password, ssl } = config;
  const client = new BoundedClient({
    ...config,
    // A pool hides both values from enumeration.
    ...(password !== undefined && { password }),
    ...(ssl !== undefined && { ssl }),
    connectionTimeoutMillis: Math.min(checkTimeoutMs, config.connectionTimeoutMillis ?? checkTimeoutMs),
    answerTimeoutMs: checkTimeoutMs,
    application_name: 'svc session check',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ isExecuting: boolean }>(
      `select exists (select from pg_stat_activity where pid = $1 and state = 'active') as "isExecuting"`,
      [processId],
    );
    return rows[0]?.isExecuting === true ? 'Executing' : 'Lost';
  } catch (error) {
    return error instanceof pg.DatabaseError ? 'Unknown' : 'Lost';
  } finally {
    void client.end().catch(() => undefined);
  }
}

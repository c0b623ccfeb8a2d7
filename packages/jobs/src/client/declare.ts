import { JobsError } from '../errors.ts';

/** When and how often a job that threw is tried again. */
export type RetryPolicy = {
  /** Attempts in all, the first included. Default 1: no retry. */
  readonly attemptsMax?: number;
  /** Wait before the second attempt, the third and so on; the last is used again. Default 15 s, 1 min, 5 min. */
  readonly delaysMs?: readonly number[];
  /** Share of the wait, 0 to 1, by which it is made longer or shorter at random. Default 0.1. */
  readonly jitter?: number;
};

/** How many jobs may run at the same time in all processes together. */
export type ConcurrencyPolicy<T> = {
  /** Jobs that may run at once for one key. At least 1. */
  readonly limit: number;
  /** What shares the limit. Without it all jobs of the declaration share it. */
  readonly key?: (payload: T) => string;
};

/** How many jobs may start within an interval in all processes together. */
export type RateLimitPolicy<T> = {
  /** Jobs that may start for one key within the interval. At least 1. */
  readonly limit: number;
  /** The interval, from the first start on; then the next one begins with the next start. 1 to 86,400,000 ms. */
  readonly intervalMs: number;
  /** What shares the limit. Default: the key of `concurrency` where it has one, else all jobs of the declaration. */
  readonly key?: (payload: T) => string;
};

/** Keeps a job from being enqueued again while an equal one is there. */
export type DedupePolicy<T> = {
  /** What makes two jobs of the declaration equal. */
  readonly key: (payload: T) => string;
  /** How long it keeps others out: until it first starts, or until it ends. Default `Finished`. */
  readonly until?: 'Started' | 'Finished';
};

/** What `defineJob` takes. */
export type JobDefinition<T> = {
  /** Name under which it is stored, unique in the system; 1 to 200 characters. */
  readonly name: string;
  /** Checks what was stored and gives it its type; throws on what it does not accept. Runs at enqueue and at start. */
  readonly parse: (value: unknown) => T;
  /** Queue whose workers take it. Default `default`. */
  readonly queue?: string;
  /** Higher is taken first within a queue, -32,768 to 32,767. Default 0. */
  readonly priority?: number;
  readonly retry?: RetryPolicy;
  /**
   * Time that one attempt may take, in ms. Then its signal is aborted and the attempt fails; a handler that ignores the
   * signal loses the job 10 s later. 1 to 2,147,483,647. Default 1 hour.
   */
  readonly timeoutMs?: number;
  readonly concurrency?: ConcurrencyPolicy<T>;
  /** What is over the limit waits for the next interval. Default none. */
  readonly rateLimit?: RateLimitPolicy<T>;
  readonly dedupe?: DedupePolicy<T>;
};

/** A job that was declared: what can be enqueued and what a handler is registered for. */
export type Job<T> = {
  readonly name: string;
  readonly parse: (value: unknown) => T;
  readonly queue: string;
  readonly priority: number;
  readonly retry: Required<RetryPolicy>;
  readonly timeoutMs: number;
  readonly concurrency: ConcurrencyPolicy<T> | null;
  readonly rateLimit: RateLimitPolicy<T> | null;
  readonly dedupe: Required<DedupePolicy<T>> | null;
};

const nameLengthMax = 200;
const defaultDelaysMs = [15_000, 60_000, 300_000];
const smallintMax = 32_767;
const dayMs = 86_400_000;
const defaultTimeoutMs = 3_600_000;

function refuse(message: string): never {
  throw new JobsError('InvalidDeclaration', message);
}

/** Checks a name of a job, queue or schedule. */
export function checkName(what: string, name: string): string {
  if (name.trim() === '' || name.length > nameLengthMax || name.includes('\0')) {
    refuse(`${what} must have 1 to ${nameLengthMax} characters: ${JSON.stringify(name)}.`);
  }
  return name;
}

/** Checks a priority: PostgreSQL keeps it as a 16-bit number. */
export function checkPriority(priority: number): number {
  if (!Number.isInteger(priority) || Math.abs(priority) > smallintMax) {
    refuse(`A priority must be a whole number from -${smallintMax} to ${smallintMax}: ${priority}.`);
  }
  return priority;
}

/** Checks a number of attempts. */
export function checkAttemptsMax(attemptsMax: number): number {
  if (!Number.isInteger(attemptsMax) || attemptsMax < 1 || attemptsMax > smallintMax) {
    refuse(`attemptsMax must be a whole number from 1 to ${smallintMax}: ${attemptsMax}.`);
  }
  return attemptsMax;
}

function checkRetry(name: string, retry: RetryPolicy): Required<RetryPolicy> {
  const delaysMs = retry.delaysMs ?? defaultDelaysMs;
  const jitter = retry.jitter ?? 0.1;
  if (delaysMs.length === 0 || delaysMs.some((delay) => !Number.isFinite(delay) || delay < 0)) {
    refuse(`retry.delaysMs of ${name} must be a list of at least one number that is not negative.`);
  }
  if (!(jitter >= 0 && jitter <= 1)) refuse(`retry.jitter of ${name} must be between 0 and 1.`);
  return { attemptsMax: checkAttemptsMax(retry.attemptsMax ?? 1), delaysMs, jitter };
}

function checkConcurrency<T>(name: string, policy: ConcurrencyPolicy<T>): ConcurrencyPolicy<T> {
  if (!Number.isInteger(policy.limit) || policy.limit < 1) {
    refuse(`concurrency.limit of ${name} must be a whole number of at least 1.`);
  }
  return policy;
}

function checkRateLimit<T>(definition: JobDefinition<T>): RateLimitPolicy<T> | null {
  const { name, rateLimit: policy } = definition;
  if (!policy) return null;
  if (!Number.isInteger(policy.limit) || policy.limit < 1 || policy.limit > 0x7fffffff) {
    refuse(`rateLimit.limit of ${name} must be a whole number from 1 to 2147483647.`);
  }
  if (!(policy.intervalMs >= 1 && policy.intervalMs <= dayMs)) {
    refuse(`rateLimit.intervalMs of ${name} must be from 1 to ${dayMs}.`);
  }
  if (policy.key && definition.concurrency) {
    refuse(`${name} has limits of both kinds, which share one key: give it as concurrency.key.`);
  }
  return policy;
}

function checkTimeout(name: string, timeoutMs: number): number {
  // A timer of Node holds at most 2^31 - 1 ms and fires at once beyond.
  if (!(timeoutMs >= 1 && timeoutMs <= 0x7fffffff)) {
    refuse(`timeoutMs of ${name} must be from 1 to 2147483647.`);
  }
  return timeoutMs;
}

/**
 * Declares a job: its name, the shape of its payload, and how it is run. Declarations hold no handler, so that a
 * process may enqueue what another one runs.
 *
 * @throws JobsError `InvalidDeclaration` that names the bad member.
 */
export function defineJob<T>(definition: JobDefinition<T>): Job<T> {
  const name = checkName('The name of a job', definition.name);
  return {
    name,
    parse: definition.parse,
    queue: checkName(`The queue of ${name}`, definition.queue ?? 'default'),
    priority: checkPriority(definition.priority ?? 0),
    retry: checkRetry(name, definition.retry ?? {}),
    timeoutMs: checkTimeout(name, definition.timeoutMs ?? defaultTimeoutMs),
    concurrency: definition.concurrency ? checkConcurrency(name, definition.concurrency) : null,
    rateLimit: checkRateLimit(definition),
    dedupe: definition.dedupe
      ? { key: definition.dedupe.key, until: definition.dedupe.until ?? 'Finished' }
      : null,
  };
}

/** Wait before the attempt after the given one, in ms, with the declaration's jitter. */
export function retryDelayMs(
  retry: Required<RetryPolicy>,
  attempt: number,
  random: () => number = Math.random,
): number {
  const delayMs = retry.delaysMs[Math.min(attempt, retry.delaysMs.length) - 1] ?? 0;
  return Math.round(delayMs * (1 + retry.jitter * (2 * random() - 1)));
}

/** A message that was declared: what happens in one place, and the jobs that it leads to. */
export type Message<T> = {
  readonly name: string;
  readonly parse: (value: unknown) => T;
  /** One job of each is enqueued for every message; each has its own attempts. */
  readonly handlers: readonly Job<T>[];
};

/**
 * Declares a message and the jobs that every publication of it enqueues, one of each, with the same payload.
 *
 * @throws JobsError `InvalidDeclaration` on a bad name, no handler, or the same handler twice.
 */
export function defineMessage<T>(definition: Message<T>): Message<T> {
  const name = checkName('The name of a message', definition.name);
  const names = new Set(definition.handlers.map((job) => job.name));
  if (names.size === 0 || names.size !== definition.handlers.length) {
    refuse(`The message ${name} needs at least one handler, and each only once.`);
  }
  return { name, parse: definition.parse, handlers: [...definition.handlers] };
}

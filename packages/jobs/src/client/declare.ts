import { JobsError } from '../errors.ts';

/** Retry policy: number of attempts of a job that failed, and the delays between them. */
export type RetryPolicy = {
  /** Total number of attempts, including the first. Default 1: no retry. */
  readonly attemptsMax?: number;
  /** Delay before the second attempt, the third and so on. Further attempts use the last delay. Default 15 s, 1 min, 5 min. */
  readonly delaysMs?: readonly number[];
  /** Share of the delay, 0 to 1, by which it is lengthened or shortened at random. Default 0.1. */
  readonly jitter?: number;
};

/** Limit on the number of jobs that run at the same time, across all processes. */
export type ConcurrencyPolicy<T> = {
  /** Maximum number of running jobs per key. At least 1. */
  readonly limit: number;
  /** Returns the key of a job; jobs with the same key share the limit. Default: all jobs of the declaration share it. */
  readonly key?: (payload: T) => string;
};

/** Limit on the number of jobs that start within an interval, across all processes. */
export type RateLimitPolicy<T> = {
  /** Maximum number of starts per key and interval. At least 1. */
  readonly limit: number;
  /** Interval, counted from its first start. The next interval begins with the next start. 1 to 86,400,000 ms. */
  readonly intervalMs: number;
  /**
   * Returns the key of a job; jobs with the same key share the limit. Default: the key of `concurrency`, else all jobs
   * of the declaration share it.
   */
  readonly key?: (payload: T) => string;
};

/** Prevents a job from being enqueued while an equal job exists. */
export type DedupePolicy<T> = {
  /** Returns the key of a job. Two jobs of the declaration with the same key are equal. */
  readonly key: (payload: T) => string;
  /** Time until which a job blocks equal jobs: its first start, or its end. Default `Finished`. */
  readonly until?: 'Started' | 'Finished';
};

/** Arguments of `defineJob`. */
export type JobDefinition<T> = {
  /** Stored name of the job, unique in the system; 1 to 200 characters. */
  readonly name: string;
  /** Validates the stored payload and returns it typed; throws on an invalid payload. Runs at enqueue and at start. */
  readonly parse: (value: unknown) => T;
  /** Queue of the job. Default `default`. */
  readonly queue?: string;
  /** Priority within the queue; workers claim higher values first. -32,768 to 32,767. Default 0. */
  readonly priority?: number;
  readonly retry?: RetryPolicy;
  /**
   * Maximum duration of one attempt. Afterwards its signal is aborted and the attempt fails. A handler that ignores the
   * signal loses the job 10 s later. 1 to 2,147,483,647. Default 1 hour.
   */
  readonly timeoutMs?: number;
  readonly concurrency?: ConcurrencyPolicy<T>;
  /** Limit of starts per interval. Jobs over the limit wait for the next interval. Default none. */
  readonly rateLimit?: RateLimitPolicy<T>;
  readonly dedupe?: DedupePolicy<T>;
};

/** Declared job. Callers enqueue it, and a process registers a handler for it. */
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

/**
 * Validates the name of a job, queue or schedule.
 *
 * @returns the name.
 * @throws JobsError `InvalidDeclaration`.
 */
export function checkName(what: string, name: string): string {
  if (name.trim() === '' || name.length > nameLengthMax || name.includes('\0')) {
    refuse(`${what} must have 1 to ${nameLengthMax} characters: ${JSON.stringify(name)}.`);
  }
  return name;
}

/**
 * Validates a priority. PostgreSQL stores it as a 16-bit number.
 *
 * @returns the priority.
 * @throws JobsError `InvalidDeclaration`.
 */
export function checkPriority(priority: number): number {
  if (!Number.isInteger(priority) || Math.abs(priority) > smallintMax) {
    refuse(`A priority must be a whole number from -${smallintMax} to ${smallintMax}: ${priority}.`);
  }
  return priority;
}

/**
 * Validates a number of attempts.
 *
 * @returns the number.
 * @throws JobsError `InvalidDeclaration`.
 */
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
  // The maximum delay of a Node timer is 2^31 - 1 ms. A timer with a longer delay fires immediately.
  if (!(timeoutMs >= 1 && timeoutMs <= 0x7fffffff)) {
    refuse(`timeoutMs of ${name} must be from 1 to 2147483647.`);
  }
  return timeoutMs;
}

/**
 * Declares a job: its name, the shape of its payload, and its execution settings. A declaration contains no handler, so
 * one process may enqueue a job and another may run it.
 *
 * @throws JobsError `InvalidDeclaration` that names the invalid member.
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

/** Returns the delay before the attempt that follows `attempt`, in ms, with the declaration's jitter. */
export function retryDelayMs(
  retry: Required<RetryPolicy>,
  attempt: number,
  random: () => number = Math.random,
): number {
  const delayMs = retry.delaysMs[Math.min(attempt, retry.delaysMs.length) - 1] ?? 0;
  return Math.round(delayMs * (1 + retry.jitter * (2 * random() - 1)));
}

/** Declared message: an event, and the jobs that each publication of it enqueues. */
export type Message<T> = {
  readonly name: string;
  readonly parse: (value: unknown) => T;
  /** Jobs that each publication enqueues, one of each. Each job has its own attempts. */
  readonly handlers: readonly Job<T>[];
};

/**
 * Declares a message. Every publication enqueues one job of each handler, with the same payload.
 *
 * @throws JobsError `InvalidDeclaration` on an invalid name, an empty list of handlers, or a duplicate handler.
 */
export function defineMessage<T>(definition: Message<T>): Message<T> {
  const name = checkName('The name of a message', definition.name);
  const names = new Set(definition.handlers.map((job) => job.name));
  if (names.size === 0 || names.size !== definition.handlers.length) {
    refuse(`The message ${name} needs at least one handler, and each only once.`);
  }
  return { name, parse: definition.parse, handlers: [...definition.handlers] };
}

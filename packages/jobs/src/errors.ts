/** Stable code of a `JobsError`. Callers distinguish refusals by it. */
export type JobsErrorCode =
  | 'InvalidDeclaration'
  | 'InvalidPayload'
  | 'InvalidOptions'
  | 'InvalidSchedule'
  | 'UnknownParent'
  | 'HandlerExists'
  | 'NotCurrent'
  | 'NotRegistered'
  | 'AlreadyStarted';

/** Refusal by the library, with a stable code. */
export class JobsError extends Error {
  readonly code: JobsErrorCode;

  constructor(code: JobsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobsError';
    this.code = code;
  }
}

/** Error that a handler throws to fail its job without a further attempt, regardless of the remaining attempts. */
export class UnretryableError extends Error {
  override readonly name = 'UnretryableError';
}

/** Reason for which a job's signal is aborted. */
export type AbortCause = 'Cancelled' | 'TimedOut' | 'LeaseLost' | 'Stopping';

const abortSentences: Readonly<Record<AbortCause, string>> = {
  Cancelled: 'The job was cancelled.',
  TimedOut: 'The job ran longer than its timeout.',
  LeaseLost: 'The job was taken over: its lease ran out.',
  Stopping: 'The process is stopping.',
};

/** Abort reason of a job's `AbortSignal`. */
export class JobAbortError extends Error {
  override readonly name = 'JobAbortError';
  override readonly cause: AbortCause;

  constructor(cause: AbortCause) {
    super(abortSentences[cause]);
    this.cause = cause;
  }
}

/** Maximum length of a stored error text, in characters. */
const errorTextLengthMax = 8_192;

/**
 * Returns a text cut to `lengthMax` characters that every PostgreSQL text column accepts: without U+0000 and lone
 * surrogates.
 */
export const storableText = (text: string, lengthMax: number): string =>
  text.slice(0, lengthMax).replaceAll('\0', '').toWellFormed();

/**
 * Returns the text of an error for storage: its stack, or its name and message, cut, without characters that PostgreSQL
 * refuses.
 */
export function errorText(error: unknown): string {
  let text: string;
  try {
    text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  } catch {
    // A value whose string conversion throws must still end its job.
    text = 'The handler threw a value that has no text.';
  }
  return storableText(text, errorTextLengthMax);
}

/** What went wrong, for code that has to tell refusals apart. */
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

/** A refusal of the library, with a stable code. */
export class JobsError extends Error {
  readonly code: JobsErrorCode;

  constructor(code: JobsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobsError';
    this.code = code;
  }
}

/** Thrown by a handler: this job must not be tried again, however many attempts are left. */
export class UnretryableError extends Error {
  override readonly name = 'UnretryableError';
}

/** Why a job's signal is aborted. */
export type AbortCause = 'Cancelled' | 'TimedOut' | 'LeaseLost' | 'Stopping';

const abortSentences: Readonly<Record<AbortCause, string>> = {
  Cancelled: 'The job was cancelled.',
  TimedOut: 'The job ran longer than its timeout.',
  LeaseLost: 'The job was taken over: its lease ran out.',
  Stopping: 'The process is stopping.',
};

/** The reason of a job's `AbortSignal`. */
export class JobAbortError extends Error {
  override readonly name = 'JobAbortError';
  override readonly cause: AbortCause;

  constructor(cause: AbortCause) {
    super(abortSentences[cause]);
    this.cause = cause;
  }
}

/** How much of an error's text is kept. */
const errorTextLengthMax = 8_192;

/** A text as PostgreSQL takes it in every column, cut to a length: without U+0000 and halves of surrogate pairs. */
export const storableText = (text: string, lengthMax: number): string =>
  text.slice(0, lengthMax).replaceAll('\0', '').toWellFormed();

/** The text of an error as it is stored: name, message and stack, cut, without characters PostgreSQL refuses. */
export function errorText(error: unknown): string {
  let text: string;
  try {
    text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
  } catch {
    // An object whose own conversion throws still has to end its job.
    text = 'The handler threw a value that has no text.';
  }
  return storableText(text, errorTextLengthMax);
}

import { JobsError } from '../errors.ts';
import type { Job } from './declare.ts';

/** Escapes that JSON allows and `jsonb` refuses: U+0000 and lone surrogates. */
const refusedEscapes = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/**
 * Returns a value as JSON text that PostgreSQL accepts.
 *
 * @returns null for undefined.
 * @throws JobsError `InvalidPayload` on a value that JSON or `jsonb` cannot represent.
 */
export function toJsonText(what: string, value: unknown): string | null {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new JobsError('InvalidPayload', `${what} cannot be written as JSON.`, { cause: error });
  }
  if (text === undefined) return null;
  if (text.includes('\\u') && refusedEscapes.test(text)) {
    throw new JobsError(
      'InvalidPayload',
      `${what} holds a zero character or half of a surrogate pair, which PostgreSQL cannot store.`,
    );
  }
  return text;
}

/**
 * Returns a payload as JSON text. Runs the declaration's `parse` on the decoded text, exactly as the worker will, so a
 * payload that the worker would refuse is never enqueued.
 *
 * @throws JobsError `InvalidPayload`; its cause is the error of `parse`.
 */
export function payloadText<T>(job: Pick<Job<T>, 'name' | 'parse'>, payload: T): string | null {
  const text = toJsonText(`The payload of ${job.name}`, payload);
  try {
    job.parse(text === null ? null : JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new JobsError('InvalidPayload', `The payload of ${job.name} was refused: ${reason}`, {
      cause: error,
    });
  }
  return text;
}

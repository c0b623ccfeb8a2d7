import { JobsError } from '../errors.ts';
import type { Job } from './declare.ts';

/** Escapes that JSON allows and `jsonb` refuses: the zero character, and halves of surrogate pairs. */
const refusedEscapes = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/**
 * Writes a value as JSON text that PostgreSQL takes.
 *
 * @returns null for undefined.
 * @throws JobsError `InvalidPayload` on what JSON or `jsonb` cannot hold.
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
 * Writes a payload as JSON text and proves that the worker will accept it: what the declaration's `parse` sees is
 * what it will see there.
 *
 * @throws JobsError `InvalidPayload`, its cause being what `parse` threw.
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

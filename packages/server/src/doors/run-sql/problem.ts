import { Refusal } from '../../platform/http/index.ts';
import { RunSqlRefusal } from './refusal.ts';

/** A refusal of the door as an HTTP refusal: code, message, and the place in the text for an editor. */
export function httpRefusalOf(refusal: RunSqlRefusal): Refusal {
  const { position } = refusal;
  const text = refusal.stepOrder === undefined ? '/finalQuery' : `/steps/${refusal.stepOrder - 1}/sql`;
  // A value that is missing or of another type is no fault of a text.
  const where = refusal.parameter === undefined ? text : `/values/${refusal.parameter}`;
  const at = position ? ` (line ${position.line}, column ${position.column})` : '';
  return new Refusal(refusal.code, {
    detail: refusal.hint === undefined ? refusal.message : `${refusal.message} ${refusal.hint}`,
    errors: [{ path: where, message: `${refusal.message}${at}` }],
    ...(refusal.code === 'too-many-runs' && {
      headers: { 'retry-after': String(Math.ceil(refusal.retryAfterSeconds ?? 1)) },
    }),
  });
}

/** Runs `work`; what the door refuses comes out as an HTTP refusal. */
export async function refusingOverHttp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RunSqlRefusal ? httpRefusalOf(error) : error;
  }
}

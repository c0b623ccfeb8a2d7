import { Refusal } from '../../platform/http/index.ts';
import { RunSqlRefusal } from './refusal.ts';

/** Converts a refusal of the gateway into an HTTP refusal: code, message, and the position in the text for an editor. */
export function httpRefusalOf(refusal: RunSqlRefusal): Refusal {
  const { position } = refusal;
  const text = refusal.stepOrder === undefined ? '/finalQuery' : `/steps/${refusal.stepOrder - 1}/sql`;
  // A missing or mistyped value is reported at the value, not at the text.
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

/** Runs `work` and converts refusals of the gateway into HTTP refusals. */
export async function refusingOverHttp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RunSqlRefusal ? httpRefusalOf(error) : error;
  }
}

import { Refusal } from '../../platform/http/index.ts';
import { type RunSqlCode, RunSqlRefusal } from './refusal.ts';

/** A data source that fails is not our failure: no 5xx for what a statement or a source does. */
const statuses: Partial<Record<RunSqlCode, number>> = {
  'too-many-runs': 429,
  'connection-failed': 424,
  'connection-lost': 424,
  'tls-failed': 424,
  'authentication-failed': 424,
  'privileged-login': 424,
  'database-not-found': 424,
  'timed-out': 422,
  'out-of-memory': 422,
};

const titles: Readonly<Record<number, string>> = {
  424: 'Data Source Failed',
  422: 'Statement Not Completed',
};

/** A refusal of the door as an HTTP refusal: code, message, and the place in the text for an editor. */
export function httpRefusalOf(refusal: RunSqlRefusal): Refusal {
  const status = statuses[refusal.code] ?? 400;
  const { position } = refusal;
  const where = refusal.stepOrder === undefined ? '/finalQuery' : `/steps/${refusal.stepOrder - 1}/sql`;
  const at = position ? ` (line ${position.line}, column ${position.column})` : '';
  return new Refusal(status, {
    code: refusal.code,
    ...(titles[status] !== undefined && { title: titles[status] }),
    detail: refusal.hint === undefined ? refusal.message : `${refusal.message} ${refusal.hint}`,
    errors: [{ path: where, message: `${refusal.message}${at}` }],
    ...(status === 429 && { headers: { 'retry-after': String(Math.ceil(refusal.retryAfterSeconds ?? 1)) } }),
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

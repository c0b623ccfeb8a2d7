import type pg from 'pg';
import { openPool } from '../../platform/db/index.ts';
import { unavailable } from '../../platform/http/index.ts';

export type HealthService = {
  /** Resolves when the metadata database answered; throws a 503 refusal when it did not within 5 seconds. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const timeoutMs = 5_000;
/** One answer serves everybody who asks within this time, so that probes cannot exhaust the database. */
const keptMs = 1_000;

/** Health has a connection of its own: a busy pool does not make it look ill. */
export function createHealthService(connection: pg.ClientConfig): HealthService {
  const pool = openPool({
    connection,
    max: 1,
    waitTimeoutMs: timeoutMs,
    answerTimeoutMs: timeoutMs,
    applicationName: 'svc health',
  });
  let latest: { at: number; answer: Promise<void> } | undefined;

  const ask = async (): Promise<void> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const late = new Promise<never>((_, reject) =>
      timeout.addEventListener('abort', () => reject(new Error('no answer in time'))),
    );
    try {
      await Promise.race([pool.query('select 1'), late]);
    } catch (cause) {
      const refusal = unavailable('The metadata database did not answer within 5 seconds.');
      refusal.cause = cause;
      throw refusal;
    }
  };

  return {
    check: () => {
      if (!latest || performance.now() - latest.at > keptMs)
        latest = { at: performance.now(), answer: ask() };
      return latest.answer;
    },
    close: () => pool.end(),
  };
}

import { plural } from '@svc/contract';
import { unavailable } from '../../platform/http/index.ts';

export type HealthService = {
  /** Resolves when the metadata database answered; throws a 503 refusal when it did not within 5 seconds. */
  readonly check: () => Promise<void>;
};

const timeoutMsDefault = 5_000;
/** Probes within this time share one result, so that they cannot exhaust the database. */
const sharedMs = 1_000;

/**
 * Executes one short statement on a pool. Without an answer within `timeoutMs`, the pool closes that session and
 * equally unresponsive idle sessions.
 */
export type ProbePool = (timeoutMs: number) => Promise<unknown>;

/**
 * Creates the probe of the pools that serve requests and jobs. The probe fails for an unresponsive session and for a
 * pool without a free session, because both block requests and jobs.
 *
 * @param pools  Each of them must answer.
 * @param options.timeoutMs  Default 5 s.
 */
export function createHealthService(
  pools: readonly ProbePool[],
  { timeoutMs = timeoutMsDefault }: { readonly timeoutMs?: number } = {},
): HealthService {
  let latest: { at: number; answer: Promise<void> } | undefined;

  const probe = async (): Promise<void> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error('no answer in time')), timeoutMs);
    try {
      const answers = pools.map((probePool) => probePool(timeoutMs));
      await Promise.race([Promise.all(answers), late.promise]);
    } catch (cause) {
      const refusal = unavailable(
        `The metadata database did not answer within ${plural(timeoutMs / 1_000, 'second')}.`,
      );
      refusal.cause = cause;
      throw refusal;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    check: () => {
      if (!latest || performance.now() - latest.at > sharedMs)
        latest = { at: performance.now(), answer: probe() };
      return latest.answer;
    },
  };
}

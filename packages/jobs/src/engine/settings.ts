import type { Retention } from '../sql/jobs/end-attempts.ts';

/** The engine's times and bounds; every one has a default. */
export type EngineSettings = {
  /** Look at the tables at least this often; hints only make it sooner. Default 1,000 ms. */
  readonly pollIntervalMs: number;
  /** A job whose lease is not renewed for so long is another's to take. Default 30,000 ms. */
  readonly leaseMs: number;
  /** How often leases are renewed and the process reports itself. Default a third of the lease. */
  readonly heartbeatMs: number;
  /** How often jobs of lost workers are looked for. Default a third of the lease. */
  readonly sweepIntervalMs: number;
  /** Losses of a worker after which a job fails: it may be what kills them. Default 10. */
  readonly recoveriesMax: number;
  /** Jobs that a worker whose jobs are short may take ahead. 0: none. Default 1,000. */
  readonly prefetchMax: number;
  /** How long ended jobs are kept. Default completed and cancelled 1 day, failed for ever. */
  readonly retention: Retention;
  /** Keep at most so many ended jobs that expire; the oldest go first. Default no bound. */
  readonly retentionCountMax: number | null;
};

const defaultLeaseMs = 30_000;
const dayMs = 86_400_000;

/** Settings as they are given: any part of them. */
export type EngineOptions = Partial<Omit<EngineSettings, 'retention'>> & {
  readonly retention?: Partial<Retention>;
};

/**
 * Fills in the defaults.
 *
 * @throws RangeError on a number out of its range.
 */
export function resolveSettings(options: EngineOptions): EngineSettings {
  const leaseMs = options.leaseMs ?? defaultLeaseMs;
  const settings: EngineSettings = {
    pollIntervalMs: options.pollIntervalMs ?? 1_000,
    leaseMs,
    heartbeatMs: options.heartbeatMs ?? leaseMs / 3,
    sweepIntervalMs: options.sweepIntervalMs ?? leaseMs / 3,
    recoveriesMax: options.recoveriesMax ?? 10,
    prefetchMax: options.prefetchMax ?? 1_000,
    retention: { completedMs: dayMs, cancelledMs: dayMs, failedMs: null, ...options.retention },
    retentionCountMax: options.retentionCountMax ?? null,
  };
  for (const name of ['pollIntervalMs', 'leaseMs', 'heartbeatMs', 'sweepIntervalMs'] as const) {
    if (!(settings[name] >= 1 && settings[name] <= dayMs)) {
      throw new RangeError(`${name} must be from 1 to ${dayMs} ms: ${settings[name]}.`);
    }
  }
  if (settings.heartbeatMs >= settings.leaseMs) {
    throw new RangeError(
      'heartbeatMs must be shorter than leaseMs: a lease has to be renewed before it ends.',
    );
  }
  return settings;
}

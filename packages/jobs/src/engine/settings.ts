import type { Retention } from '../sql/jobs/end-attempts.ts';

/** Time intervals and bounds of the engine. All have defaults. */
export type EngineSettings = {
  /** Maximum interval between two polls of the tables. Hints only shorten it. Default 1,000 ms. */
  readonly pollIntervalMs: number;
  /** Lease duration. After it expires, another worker may claim the job. Default 30,000 ms. */
  readonly leaseMs: number;
  /** Interval at which the process renews leases and reports itself. Default a third of the lease. */
  readonly heartbeatMs: number;
  /** Interval of the sweep for jobs of lost workers. Default a third of the lease. */
  readonly sweepIntervalMs: number;
  /** Number of lost workers after which a job fails: the job may be the cause of the losses. Default 10. */
  readonly recoveriesMax: number;
  /** Maximum number of jobs that a worker with short jobs prefetches. 0: none. Default 1,000. */
  readonly prefetchMax: number;
  /** Retention of ended jobs. Default: completed and cancelled jobs 1 day, failed jobs without limit. */
  readonly retention: Retention;
  /** Maximum number of stored ended jobs that expire; the oldest are removed first. Default no limit. */
  readonly retentionCountMax: number | null;
};

const defaultLeaseMs = 30_000;
const dayMs = 86_400_000;

/** Engine settings as passed by the caller, all optional. */
export type EngineOptions = Partial<Omit<EngineSettings, 'retention'>> & {
  readonly retention?: Partial<Retention>;
};

/**
 * Returns the settings with defaults for omitted values.
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

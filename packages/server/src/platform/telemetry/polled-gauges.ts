import type { Attributes, ObservableGauge } from '@opentelemetry/api';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log/index.ts';
import type { Telemetry } from './telemetry.ts';

export type GaugeValue = { readonly value: number; readonly attributes?: Attributes };

/** A gauge whose values are read from the database at collection. */
export type PolledGauge = {
  /** OpenTelemetry name, such as `svc.jobs`. */
  readonly name: string;
  readonly description: string;
  /** UCUM unit, such as `s`, or a counted thing in braces. */
  readonly unit: string;
  readonly read: () => Promise<readonly GaugeValue[]>;
};

/** Cache time of values. Several or frequent collectors cause one reading of the database. */
const keptMs = 5_000;
/** Deadline of a reading. A collector waits about 10 s: a slow database costs it these values, but not all others. */
const readMaxMs = 4_000;

/**
 * Registers gauges that are read at collection. A gauge that cannot be read has no value, and a collector shows it
 * as absent: an old value would hide the fault.
 */
export function registerPolledGauges(
  { meter }: Pick<Telemetry, 'meter'>,
  gauges: readonly PolledGauge[],
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Logger, 'warn'> },
): void {
  for (const gauge of gauges) {
    const { name, description, unit } = gauge;
    const read = keptReading(gauge, { clock, log });
    const instrument: ObservableGauge = meter.createObservableGauge(name, { description, unit });
    instrument.addCallback(async (result) => {
      for (const { value, attributes } of await read()) result.observe(value, attributes ?? {});
    });
  }
}

/** Caches the readings of a gauge and limits their duration. */
function keptReading(
  { name, read }: PolledGauge,
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Logger, 'warn'> },
): () => Promise<readonly GaugeValue[]> {
  let cached: { readonly at: number; readonly values: Promise<readonly GaugeValue[]> } | undefined;
  const readInTime = async (): Promise<readonly GaugeValue[]> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The database took too long.')), readMaxMs);
    });
    try {
      return await Promise.race([read(), late]);
    } catch (error) {
      log.warn({ err: error, metric: name }, 'a metric could not be read');
      return [];
    } finally {
      clearTimeout(timer);
    }
  };
  return () => {
    const now = clock.now().getTime();
    if (!cached || now - cached.at >= keptMs || now < cached.at) cached = { at: now, values: readInTime() };
    return cached.values;
  };
}

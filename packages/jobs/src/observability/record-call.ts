import type { JobsLogger } from '../engine/logger.ts';
import type { EndpointCall } from '../sql/endpoints/endpoint-calls.ts';
import type { CountedCall } from './counters.ts';
import { callRow, meteredCall, outcomeOf, spanAttributes } from './describe-call.ts';
import type { ObservedCall } from './observed-call.ts';
import type { EndpointObservabilityOptions } from './options.ts';
import type { EndpointTelemetry } from './telemetry.ts';

export type RecordDeps = {
  readonly settings: Readonly<EndpointObservabilityOptions>;
  /** Span and meters; null when they are no destination. */
  readonly telemetry: EndpointTelemetry | null;
  /** Receives the rows to store; null when the database is no destination. */
  readonly addRow: ((row: EndpointCall) => void) | null;
  /** Random source for the sampling, 0 to 1. */
  readonly random: () => number;
  readonly logger: JobsLogger;
};

/** Counts an ended call and passes it to the destinations. */
export type RecordCall = (call: ObservedCall, count: (call: CountedCall) => void) => void;

/** Returns the function that records ended calls. Notable and forced calls always get a row; others are sampled. */
export function createRecordCall({ settings, telemetry, addRow, random, logger }: RecordDeps): RecordCall {
  const sampleRate = settings.recordCalls === 'All' ? settings.sampleRate : 0;
  const isSampled = () => sampleRate > 0 && (sampleRate === 1 || random() < sampleRate);

  return (call, count) => {
    const { span } = call;
    const outcome = outcomeOf(settings, call, logger);
    if (addRow) {
      const { isFailed, groupName } = outcome;
      count({ isFailed, groupName, durationMs: call.durationMs, atMs: call.startedAtMs });
    }
    const metered = telemetry && meteredCall(settings, call, outcome);
    if (metered) telemetry.record(metered);
    const hasRow = addRow !== null && (call.isForced || outcome.isNotable || isSampled());
    if (!hasRow && span === undefined) return;
    const row = callRow(settings, call, outcome, logger);
    if (metered) span?.setAttributes(spanAttributes(row, call.trace.traceId, metered.dimensions));
    if (hasRow) addRow(row);
  };
}

/**
 * Measurements and traces by the API of OpenTelemetry: where to they go is the host's choice. Without providers
 * nothing is measured and nothing costs anything.
 */
export { type GaugeValue, type PolledGauge, registerPolledGauges } from './polled-gauges.ts';
export {
  createTelemetry,
  failSpan,
  type RemoteSpan,
  recordedSpan,
  type SpanFacts,
  type Telemetry,
  type TelemetryProviders,
  traceparentHere,
} from './telemetry.ts';

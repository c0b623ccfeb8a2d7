/**
 * Metrics and traces by the API of OpenTelemetry. The host chooses their destination. Without providers, nothing is
 * measured, at no cost.
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

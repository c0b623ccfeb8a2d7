import { metrics } from '@opentelemetry/sdk-node';

type Selects = {
  selectAggregationTemporality: (type: metrics.InstrumentType) => metrics.AggregationTemporality;
};
// biome-ignore lint/suspicious/noExplicitAny: a class that is extended takes any arguments
type SelectsClass = new (...args: any[]) => Selects;

/**
 * Extends a reader or an exporter so that gauges report only current observations. By default the SDK repeats the last
 * value of a label that no longer exists, because it accumulates since the start.
 */
export function gaugesOfNow<Base extends SelectsClass>(base: Base) {
  return class extends base {
    override selectAggregationTemporality = (type: metrics.InstrumentType): metrics.AggregationTemporality =>
      type === metrics.InstrumentType.OBSERVABLE_GAUGE
        ? metrics.AggregationTemporality.DELTA
        : base.prototype.selectAggregationTemporality.call(this, type);
  };
}

import { metrics } from '@opentelemetry/sdk-node';

type Selects = {
  selectAggregationTemporality: (type: metrics.InstrumentType) => metrics.AggregationTemporality;
};
// biome-ignore lint/suspicious/noExplicitAny: a class that is extended takes any arguments
type SelectsClass = new (...args: any[]) => Selects;

/**
 * A reader or an exporter that tells of a gauge what is observed now. As the SDK makes them, they go on telling the
 * last value of what is not there any more: added up since the start, nothing ever leaves.
 */
export function gaugesOfNow<Base extends SelectsClass>(base: Base) {
  return class extends base {
    override selectAggregationTemporality = (type: metrics.InstrumentType): metrics.AggregationTemporality =>
      type === metrics.InstrumentType.OBSERVABLE_GAUGE
        ? metrics.AggregationTemporality.DELTA
        : base.prototype.selectAggregationTemporality.call(this, type);
  };
}

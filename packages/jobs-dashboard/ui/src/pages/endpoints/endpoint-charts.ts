import type { EndpointHistory } from '../../../../src/api/endpoints.ts';
import { dayTime } from '../../lib/format.ts';
import type { Json } from '../../lib/json.ts';
import type { ChartData } from '../../parts/chart-data.ts';

const hourMs = 3_600_000;
/** Number of hours in the charts of calls. */
export const hoursShown = 24;

/** Returns the chart of calls per hour, for the last 24 hours, including hours without calls. */
export function callsChart(label: string, hours: Json<EndpointHistory>['items'], nowMs: number): ChartData {
  const byHour = new Map(hours.map((hour) => [new Date(hour.hour).getTime(), hour]));
  const lastMs = Math.floor(nowMs / hourMs) * hourMs;
  const starts = Array.from({ length: hoursShown }, (_, at) => lastMs - (hoursShown - 1 - at) * hourMs);
  const sums = starts.map((start) => byHour.get(start) ?? { calls: 0, errors: 0 });
  return {
    label,
    kind: 'bar',
    steps: starts.map((start) => dayTime(new Date(start).toISOString())),
    series: [
      { name: 'Successful', colour: 'green', values: sums.map(({ calls, errors }) => calls - errors) },
      { name: 'Failed', colour: 'red', values: sums.map(({ errors }) => errors) },
    ],
  };
}

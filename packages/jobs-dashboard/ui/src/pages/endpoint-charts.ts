import type { EndpointHistory } from '../../../src/api/endpoints.ts';
import type { Json } from '../lib/api.ts';
import { dayTime } from '../lib/format.ts';
import type { ChartData } from '../parts/chart-data.ts';

/** Calls by the hour. */
export const callsChart = (label: string, hours: Json<EndpointHistory>['items']): ChartData => ({
  label,
  kind: 'bar',
  steps: hours.map(({ hour }) => dayTime(hour)),
  series: [
    { name: 'Successful', colour: 'green', values: hours.map(({ calls, errors }) => calls - errors) },
    { name: 'Failed', colour: 'red', values: hours.map(({ errors }) => errors) },
  ],
});

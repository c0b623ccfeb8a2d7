import { getAnomalyChart } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Row counts of a subscription for a number of days, with expected counts. */
export const anomalyChart = (id: number, days: number) =>
  read(getAnomalyChart, { params: { id }, query: { days } });

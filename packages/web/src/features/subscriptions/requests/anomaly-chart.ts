import { getAnomalyChart } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Row counts of a subscription over some days, with what was expected of them. */
export const anomalyChart = (id: number, days: number) =>
  read(getAnomalyChart, { params: { id }, query: { days } });

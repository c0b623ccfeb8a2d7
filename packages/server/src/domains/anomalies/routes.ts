import { getAnomalyChart, setAnomalyVerdict } from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { AnomaliesService } from './service.ts';

export const anomalyRoutes = (service: AnomaliesService): Route[] => [
  route(getAnomalyChart, async ({ caller, params, query }) => service.chart(caller, params.id, query.days)),
  route(setAnomalyVerdict, async (context) => {
    const { id, notificationId } = context.params;
    await service.setVerdict(context, id, notificationId, context.body.verdict);
    return undefined;
  }),
];
